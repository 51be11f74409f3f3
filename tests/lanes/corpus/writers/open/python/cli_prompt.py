import click
def confirm(name):
    prompt = f"Delete {name}? [y/N] "
    answer = input(prompt)
    return click.prompt("Sure", default=answer)
