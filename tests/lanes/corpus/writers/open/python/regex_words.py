import re
PATTERN = re.compile(r"role['\"]?\s*:\s*['\"](system|user)['\"]|messages\.append\(")
def find(source):
    return [m.start() for m in PATTERN.finditer(source)]
