in group ${1 + 1}
