def step(query, steps):
    done = []
    for one in steps:
        done.append({"query": query, "context": one.context})
    earlier = list(done)
    return classify(query), earlier, classify(earlier[0]["query"])
