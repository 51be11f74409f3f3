def page(title, rows):
    parts = [f"<h1>{title}</h1>"]
    parts.append("<ul>")
    parts.extend(f"<li>{r}</li>" for r in rows)
    return "\n".join(parts)
