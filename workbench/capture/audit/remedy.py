"""The one line that an app adds at its routing call, so that its next logs can be audited."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["LINES", "WITH_TOOLS"]

LINES: Mapping[str, str] = {
    "Python": (
        'log.info("route turn=%s typed=%d routed=%d head=%r",'
        " turn_id, len(user_text), len(router_input), router_input[:80])"
    ),
    "TypeScript": (
        "console.log(`route turn=${turnId} typed=${[...userText].length} routed=${[...routerInput].length}"
        ' head=${JSON.stringify([...routerInput].slice(0, 80).join(""))}`);'
    ),
    "Rust": (
        'log::info!("route turn={} typed={} routed={} head={:?}", turn_id, user_text.chars().count(),'
        " router_input.chars().count(), router_input.chars().take(80).collect::<String>());"
    ),
    "Go": (
        'log.Printf("route turn=%s typed=%d routed=%d head=%.80q", turnID,'
        " utf8.RuneCountInString(userText), utf8.RuneCountInString(routerInput), routerInput)"
    ),
}
"""By language. Lengths are in code points; it stands before the call, so that a crash is logged too."""

WITH_TOOLS: Mapping[str, str] = {
    "Python": (
        'log.info("route turn=%s typed=%d routed=%d head=%r tools=%r",'
        " turn_id, len(user_text), len(router_input), router_input[:80], [tool.name for tool in tools])"
    ),
    "TypeScript": (
        "console.log(`route turn=${turnId} typed=${[...userText].length} routed=${[...routerInput].length}"
        ' head=${JSON.stringify([...routerInput].slice(0, 80).join(""))}'
        " tools=${JSON.stringify(tools.map((tool) => tool.name))}`);"
    ),
    "Rust": (
        'log::info!("route turn={} typed={} routed={} head={:?} tools={:?}", turn_id,'
        " user_text.chars().count(), router_input.chars().count(),"
        " router_input.chars().take(80).collect::<String>(), tools);"
    ),
    "Go": (
        'log.Printf("route turn=%s typed=%d routed=%d head=%.80q tools=%q", turnID,'
        " utf8.RuneCountInString(userText), utf8.RuneCountInString(routerInput), routerInput, tools)"
    ),
}
"""The same, where only the tools are missing: it stands after the call, whose answer it needs."""
