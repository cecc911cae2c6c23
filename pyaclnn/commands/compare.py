def add_parser(c):
    return c.add_parser("compare")
def run(o): return 0
