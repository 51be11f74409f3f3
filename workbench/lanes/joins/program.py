"""All modules of a source tree, and which of them an import means."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from workbench.lanes.joins.python import PythonLowering
from workbench.lanes.joins.statements import ScriptLowering
from workbench.lanes.joins.tree import ANY, Block, Module
from workbench.lanes.syntax.code import Code, Unread
from workbench.lanes.syntax.language import Language

__all__ = ["Program", "lower"]

_ENDINGS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts")
_CHAIN = 4  # re-exports that are followed


def lower(code: Code) -> Module | Unread:
    """The file's module; named as unread where it is nested beyond reason."""
    lowering = PythonLowering(code.name) if code.language is Language.PYTHON else ScriptLowering(code.name)
    try:
        body = lowering.block(code.root)
    except RecursionError:
        return Unread(code.name, "nested too deeply to be followed")
    module = Module(code.path, code.name, code.language is Language.PYTHON, Block(body.at, body.body))
    module.imports, module.exports = lowering.imports, lowering.exports
    return module


class Program:
    """Finds modules by import. Only files that were read are ever found."""

    def __init__(
        self, modules: Iterable[Module], others: Collection[Path], load: Callable[[Path], Module | None]
    ) -> None:
        """`others` are files that are loaded when they are asked for."""
        self._load = load
        self._paths: dict[Path, Module | None] = {module.path.resolve(): module for module in modules}
        self._others = set(others)
        self._folders = {parent for path in (*self._paths, *self._others) for parent in path.parents}

    def at(self, path: Path) -> Module | None:
        """The module of a file."""
        if path in self._others:
            self._others.discard(path)
            self._paths[path] = self._load(path)
        return self._paths.get(path)

    def find(self, importer: Module, source: str) -> Module | None:
        """The module that `source` means in a file."""
        paths = self._python(importer, source) if importer.python else self._script(importer, source)
        return next((module for path in paths if (module := self.at(path)) is not None), None)

    def member(self, importer: Module, source: str, name: str) -> Module | None:
        """`from source import name` where the name is a module itself."""
        if not importer.python:
            return None
        return self.find(importer, f"{source}{'' if source.endswith('.') else '.'}{name}")

    def defined(self, module: Module, name: str, left: int = _CHAIN) -> tuple[Module, str] | None:
        """Where a name that a module gives to others is defined: in it, or where it has it from."""
        local = name if module.python else module.exports.get(name)
        if local is None and not module.python and name == "default":
            local = module.exports.get("default")
        for one in module.imports if left else ():
            if one.local == local or (one.local == ANY and (local is None or module.python)):
                target = self.find(module, one.module)
                if target is not None and one.name is not None:
                    inner = name if one.local == ANY else one.name
                    found = self.defined(target, inner, left - 1)
                    if found is not None:
                        return found
        return (module, local) if local is not None else None

    def _python(self, importer: Module, source: str) -> Iterator[Path]:
        here = importer.path.resolve().parent
        dots = len(source) - len(source.lstrip("."))
        parts = [part for part in source.lstrip(".").split(".") if part]
        if dots:
            for _ in range(dots - 1):
                here = here.parent
            folders: Iterable[Path] = (here,)
        else:
            folders = (here, *here.parents)
        for folder in folders:
            target = folder.joinpath(*parts)
            if parts:
                yield target.with_name(target.name + ".py")
            yield target / "__init__.py"

    def _script(self, importer: Module, source: str) -> Iterator[Path]:
        here = importer.path.resolve().parent
        if source.startswith("."):
            folders, rest = [here], source
        elif source.startswith(("@/", "~/", "#/", "src/")):
            rest = source if source.startswith("src/") else source[2:]
            around = [folder for folder in (here, *here.parents) if folder in self._folders]
            folders = [one for folder in around for one in (folder, folder / "src", folder / "app")]
        else:
            return
        for folder in folders:
            target = Path(f"{folder}/{rest}").resolve()
            yield target
            for ending in _ENDINGS:
                yield target.with_name(target.name + ending)
                if target.suffix in (".js", ".jsx", ".mjs", ".cjs"):
                    yield target.with_suffix(ending)
                yield target / f"index{ending}"
