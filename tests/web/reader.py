"""What a screen reader is told of a page: names and roles from Chromium's accessibility tree, and what live regions say."""

from __future__ import annotations

SILENT = {"none", "generic", "InlineTextBox", "StaticText", "ListMarker", "LineBreak", "paragraph", "RootWebArea", "strong", "code"}
"""Roles without a word of their own; static text is said by what holds it."""

FOCUSED = """() => {
    const now = document.activeElement;
    return `${now.getAttribute('role') ?? now.tagName.toLowerCase()}: ${now.ariaLabel ?? now.textContent.trim()}`;
}"""
LISTEN = """() => {
    window.said = [];
    window.written = '';
    const note = (node) => { const region = node.parentElement?.closest('[aria-live], [role=log], [role=status], [role=alert]');
        if (region && node.textContent.trim()) window.said.push(node.textContent.trim()); };
    new MutationObserver((changes) => {
        for (const change of changes) change.addedNodes.forEach(note);
        window.written += document.querySelector('#log ol')?.textContent ?? '';
    }).observe(document.body, { childList: true, subtree: true });
}"""


def tree(page) -> list[tuple[str, str]]:
    """Role and name of everything that a screen reader comes by, in its order. Cells and list items without a name get their text."""
    client = page.context.new_cdp_session(page)
    nodes = client.send("Accessibility.getFullAXTree")["nodes"]
    client.detach()
    by_id = {node["nodeId"]: node for node in nodes}

    def text(node) -> str:
        name = node.get("name", {}).get("value", "")
        if name or not node.get("childIds"):
            return name
        parts = (text(by_id[each]) for each in node["childIds"] if each in by_id and role_of(by_id[each]) != "ListMarker")
        return " ".join(filter(None, parts))

    found, waiting = [], [nodes[0]]
    while waiting:
        node = waiting.pop()
        waiting += [by_id[each] for each in reversed(node.get("childIds", ())) if each in by_id]
        role = role_of(node)
        if not node.get("ignored") and role not in SILENT:
            name = " ".join(node.get("name", {}).get("value", "").split())
            found.append((role, name or (text(node) if role in ("listitem", "cell", "gridcell", "caption") else "")))
    return found


def role_of(node) -> str:
    return str(node.get("role", {}).get("value", ""))


def focused(page) -> str:
    """What is said of the thing that has the focus."""
    return str(page.evaluate(FOCUSED))


def listen(page) -> None:
    """From now on remember what live regions say, and what stands in the log meanwhile: a game of memory keeps little of it."""
    page.evaluate(LISTEN)


def heard(page) -> list[str]:
    """What live regions have said since then, each once."""
    return list(page.evaluate("window.said.splice(0)"))
