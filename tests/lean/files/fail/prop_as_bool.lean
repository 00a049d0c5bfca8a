-- An equation is not a Boolean test: the wrong connective for the type.
-- expect: error 3:32 contains "Application type mismatch: The argument\n  p\nhas type\n  Prop\nbut is expected to have type\n  Bool"
def both (p q : Prop) : Prop := p && q
