def emit(cpu, ops):
    instructions = []
    for op in ops:
        instructions.append(op.encode())
    cpu.system = cpu.system + 1
    return instructions
