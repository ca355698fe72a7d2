"""The words that hold an English sentence together and name nothing: what a template is made of."""

_LISTED = """
a an the this that these those some any no every each all both either neither another other such same own
i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours
ourselves they them their theirs themselves one ones someone somebody something anyone anybody anything everyone
everybody everything nobody nothing none
who whom whose which what when where why how whether whatever whoever whenever wherever however
and or but nor so yet if unless because since although though while whereas until till once than as like
of to in on at by for with without from into onto out off over under up down about above below between among
through during before after behind beside besides beyond near next past against across along around toward towards
upon within per via despite except instead
be am is are was were been being do does did done doing have has had having will would shall should can could may
might must ought need dare used get got gets getting
not never no yes ever also too very just only even still already again then there here now almost quite rather
really perhaps maybe more most much many less least few fewer little enough several
im ive id ill youre youve youd youll hes shes its theyre theyve theyd weve were wed thats theres whats whos
dont doesnt didnt isnt arent wasnt werent wont wouldnt cant cannot couldnt shouldnt havent hasnt hadnt aint
please thanks thank hey hi hello ok okay well
"""
FUNCTION_WORDS = frozenset(_LISTED.split())
