import ast, os, sys
from importlib import metadata, util

files = sys.argv[1:]
for file in files:
    sys.path.insert(0, os.path.dirname(file) or ".")
missing = {}
for file in files:
    for node in ast.parse(open(file, "rb").read()).body:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module]
        else:
            continue
        for name in (name.split(".")[0] for name in names):
            try:
                is_there = name in sys.builtin_module_names or util.find_spec(name)
            except (ImportError, ValueError):
                is_there = False
            if not is_there:
                missing.setdefault(name, f"{file}:{node.lineno}")
if missing:
    for name, place in missing.items():
        print(f"{place}: the module {name} is not installed here")
    known = sorted({d.metadata["Name"] or "" for d in metadata.distributions()} - {""}, key=str.lower)
    print("installed besides Python's own:", ", ".join(known) or "nothing")
    sys.exit(9)
