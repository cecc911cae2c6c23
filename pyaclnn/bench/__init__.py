"""The benchmark: our gradients beside those of torch and oneDNN, on layers of well-known networks.

A session starts one worker process for each number of threads, since libraries read that number once. A worker opens
the contestants of each case, checks that they agree, and times them in turn.
"""
