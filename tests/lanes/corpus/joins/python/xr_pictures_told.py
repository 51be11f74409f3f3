def ask(query, images=None):
    picture_descriptions = []
    for image in images or []:
        told = model.see(image["data"])
        picture_descriptions.append(told)
    whole = query
    if picture_descriptions:
        whole += " " + " ".join(picture_descriptions)  #: join
    return classify(whole)  #: call
