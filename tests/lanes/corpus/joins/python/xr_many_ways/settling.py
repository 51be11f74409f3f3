def settle(event, settings, store):
    asked = event.text
    if settings.option_0:
        store.count_0 = tally(settings.option_0, store.count_0)
        size_0 = store.count_0 or 0
    else:
        size_0 = tally(store.count_0, 0) if store.ready_0 else None
    if settings.option_1:
        store.count_1 = tally(settings.option_1, store.count_1)
        size_1 = store.count_1 or 1
    else:
        size_1 = tally(store.count_1, 1) if store.ready_1 else None
    if settings.option_2:
        store.count_2 = tally(settings.option_2, store.count_2)
        size_2 = store.count_2 or 2
    else:
        size_2 = tally(store.count_2, 2) if store.ready_2 else None
    if settings.option_3:
        store.count_3 = tally(settings.option_3, store.count_3)
        size_3 = store.count_3 or 3
    else:
        size_3 = tally(store.count_3, 3) if store.ready_3 else None
    if settings.option_4:
        store.count_4 = tally(settings.option_4, store.count_4)
        size_4 = store.count_4 or 4
    else:
        size_4 = tally(store.count_4, 4) if store.ready_4 else None
    if settings.option_5:
        store.count_5 = tally(settings.option_5, store.count_5)
        size_5 = store.count_5 or 5
    else:
        size_5 = tally(store.count_5, 5) if store.ready_5 else None
    if settings.option_6:
        store.count_6 = tally(settings.option_6, store.count_6)
        size_6 = store.count_6 or 6
    else:
        size_6 = tally(store.count_6, 6) if store.ready_6 else None
    if settings.option_7:
        store.count_7 = tally(settings.option_7, store.count_7)
        size_7 = store.count_7 or 7
    else:
        size_7 = tally(store.count_7, 7) if store.ready_7 else None
    if settings.option_8:
        store.count_8 = tally(settings.option_8, store.count_8)
        size_8 = store.count_8 or 8
    else:
        size_8 = tally(store.count_8, 8) if store.ready_8 else None
    if settings.option_9:
        store.count_9 = tally(settings.option_9, store.count_9)
        size_9 = store.count_9 or 9
    else:
        size_9 = tally(store.count_9, 9) if store.ready_9 else None
    if settings.option_10:
        store.count_10 = tally(settings.option_10, store.count_10)
        size_10 = store.count_10 or 10
    else:
        size_10 = tally(store.count_10, 10) if store.ready_10 else None
    if settings.option_11:
        store.count_11 = tally(settings.option_11, store.count_11)
        size_11 = store.count_11 or 11
    else:
        size_11 = tally(store.count_11, 11) if store.ready_11 else None
    if settings.option_12:
        store.count_12 = tally(settings.option_12, store.count_12)
        size_12 = store.count_12 or 12
    else:
        size_12 = tally(store.count_12, 12) if store.ready_12 else None
    if settings.option_13:
        store.count_13 = tally(settings.option_13, store.count_13)
        size_13 = store.count_13 or 13
    else:
        size_13 = tally(store.count_13, 13) if store.ready_13 else None
    if settings.option_14:
        store.count_14 = tally(settings.option_14, store.count_14)
        size_14 = store.count_14 or 14
    else:
        size_14 = tally(store.count_14, 14) if store.ready_14 else None
    if settings.option_15:
        store.count_15 = tally(settings.option_15, store.count_15)
        size_15 = store.count_15 or 15
    else:
        size_15 = tally(store.count_15, 15) if store.ready_15 else None
    if settings.option_16:
        store.count_16 = tally(settings.option_16, store.count_16)
        size_16 = store.count_16 or 16
    else:
        size_16 = tally(store.count_16, 16) if store.ready_16 else None
    if settings.option_17:
        store.count_17 = tally(settings.option_17, store.count_17)
        size_17 = store.count_17 or 17
    else:
        size_17 = tally(store.count_17, 17) if store.ready_17 else None
    if settings.option_18:
        store.count_18 = tally(settings.option_18, store.count_18)
        size_18 = store.count_18 or 18
    else:
        size_18 = tally(store.count_18, 18) if store.ready_18 else None
    if settings.option_19:
        store.count_19 = tally(settings.option_19, store.count_19)
        size_19 = store.count_19 or 19
    else:
        size_19 = tally(store.count_19, 19) if store.ready_19 else None
    if settings.option_20:
        store.count_20 = tally(settings.option_20, store.count_20)
        size_20 = store.count_20 or 20
    else:
        size_20 = tally(store.count_20, 20) if store.ready_20 else None
    if settings.option_21:
        store.count_21 = tally(settings.option_21, store.count_21)
        size_21 = store.count_21 or 21
    else:
        size_21 = tally(store.count_21, 21) if store.ready_21 else None
    if settings.option_22:
        store.count_22 = tally(settings.option_22, store.count_22)
        size_22 = store.count_22 or 22
    else:
        size_22 = tally(store.count_22, 22) if store.ready_22 else None
    if settings.option_23:
        store.count_23 = tally(settings.option_23, store.count_23)
        size_23 = store.count_23 or 23
    else:
        size_23 = tally(store.count_23, 23) if store.ready_23 else None
    if settings.option_24:
        store.count_24 = tally(settings.option_24, store.count_24)
        size_24 = store.count_24 or 24
    else:
        size_24 = tally(store.count_24, 24) if store.ready_24 else None
    if settings.option_25:
        store.count_25 = tally(settings.option_25, store.count_25)
        size_25 = store.count_25 or 25
    else:
        size_25 = tally(store.count_25, 25) if store.ready_25 else None
    if settings.option_26:
        store.count_26 = tally(settings.option_26, store.count_26)
        size_26 = store.count_26 or 26
    else:
        size_26 = tally(store.count_26, 26) if store.ready_26 else None
    if settings.option_27:
        store.count_27 = tally(settings.option_27, store.count_27)
        size_27 = store.count_27 or 27
    else:
        size_27 = tally(store.count_27, 27) if store.ready_27 else None
    if settings.option_28:
        store.count_28 = tally(settings.option_28, store.count_28)
        size_28 = store.count_28 or 28
    else:
        size_28 = tally(store.count_28, 28) if store.ready_28 else None
    if settings.option_29:
        store.count_29 = tally(settings.option_29, store.count_29)
        size_29 = store.count_29 or 29
    else:
        size_29 = tally(store.count_29, 29) if store.ready_29 else None
    if settings.option_30:
        store.count_30 = tally(settings.option_30, store.count_30)
        size_30 = store.count_30 or 30
    else:
        size_30 = tally(store.count_30, 30) if store.ready_30 else None
    if settings.option_31:
        store.count_31 = tally(settings.option_31, store.count_31)
        size_31 = store.count_31 or 31
    else:
        size_31 = tally(store.count_31, 31) if store.ready_31 else None
    if settings.option_32:
        store.count_32 = tally(settings.option_32, store.count_32)
        size_32 = store.count_32 or 32
    else:
        size_32 = tally(store.count_32, 32) if store.ready_32 else None
    if settings.option_33:
        store.count_33 = tally(settings.option_33, store.count_33)
        size_33 = store.count_33 or 33
    else:
        size_33 = tally(store.count_33, 33) if store.ready_33 else None
    if settings.option_34:
        store.count_34 = tally(settings.option_34, store.count_34)
        size_34 = store.count_34 or 34
    else:
        size_34 = tally(store.count_34, 34) if store.ready_34 else None
    if settings.option_35:
        store.count_35 = tally(settings.option_35, store.count_35)
        size_35 = store.count_35 or 35
    else:
        size_35 = tally(store.count_35, 35) if store.ready_35 else None
    if settings.option_36:
        store.count_36 = tally(settings.option_36, store.count_36)
        size_36 = store.count_36 or 36
    else:
        size_36 = tally(store.count_36, 36) if store.ready_36 else None
    if settings.option_37:
        store.count_37 = tally(settings.option_37, store.count_37)
        size_37 = store.count_37 or 37
    else:
        size_37 = tally(store.count_37, 37) if store.ready_37 else None
    if settings.option_38:
        store.count_38 = tally(settings.option_38, store.count_38)
        size_38 = store.count_38 or 38
    else:
        size_38 = tally(store.count_38, 38) if store.ready_38 else None
    if settings.option_39:
        store.count_39 = tally(settings.option_39, store.count_39)
        size_39 = store.count_39 or 39
    else:
        size_39 = tally(store.count_39, 39) if store.ready_39 else None
    if event.reply_to_text:
        asked = f"> {event.reply_to_text}\n\n{asked}"  #: join
    return classify(asked)  #: call


def tally(value, other):
    total = 0
    for one in value or []:
        if one.weight and other:
            total += one.weight
        elif one.size:
            total -= one.size
    return total
