def where(parts, table):
    sql = "SELECT * FROM " + table
    if parts:
        sql += " WHERE " + " AND ".join(parts)
    prompt_query = sql
    return sql
