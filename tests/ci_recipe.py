"""Recipes of CI services: the commands of their jobs, as the service would run them."""

import itertools
import re


def jobs(recipe):
    """(variables, commands) of every job, once for each combination of its matrix."""
    return list(_github(recipe["jobs"]) if "jobs" in recipe else _gitlab(recipe))


def _combinations(matrix):
    return [dict(zip(matrix, values)) for values in itertools.product(*matrix.values())]


def _github(named):
    for job in named.values():
        for combination in _combinations(job.get("strategy", {}).get("matrix", {})):
            commands, variables = [], {}
            for step in job["steps"]:
                assert ("uses" in step) != ("run" in step), f"a step either uses an action or runs commands: {step}"
                variables.update(step.get("env", {}))
                commands += step.get("run", "").splitlines()
            yield variables, [_filled_in(command, combination) for command in commands]


def _filled_in(command, combination):
    return re.sub(r"\$\{\{ matrix\.(\w+) \}\}", lambda found: str(combination[found[1]]), command)


def _gitlab(named):
    for job in named.values():
        matrices = job.get("parallel", {}).get("matrix", [{}])
        for combination in itertools.chain.from_iterable(map(_combinations, matrices)):
            yield {**job.get("variables", {}), **combination}, job["script"]
