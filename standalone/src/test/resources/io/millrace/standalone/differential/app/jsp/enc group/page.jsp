in group
