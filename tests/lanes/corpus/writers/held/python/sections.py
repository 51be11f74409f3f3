def build_context(rows, limit=800):
    sections = []
    for row in rows:
        sections.append(f"### {row.title}\n{row.text[:800]}")  # <- site budget=800
    return "## Retrieved\n" + "\n\n".join(sections)  # <- site
