"""The names that five grammars give to the same things."""

from __future__ import annotations

from workbench.lanes.joins.wordlist import word_set

__all__ = [
    "ASSIGNS",
    "BINARY",
    "BLOCKS",
    "CALLS",
    "CHOICES",
    "CLASSES",
    "FUNCTIONS",
    "GROWS",
    "LAMBDAS",
    "LISTS",
    "MEMBERS",
    "NAMES",
    "RECORDS",
    "STATEMENTS",
    "STRINGS",
    "WANTED",
    "WRAPS",
]

CALLS = word_set("call call_expression new_expression")
RECORDS = word_set("dictionary object struct_expression composite_literal literal_value")
LISTS = word_set("list array tuple array_expression list_comprehension")
ASSIGNS = word_set(
    """
    assignment assignment_expression variable_declarator let_declaration assignment_statement
    short_var_declaration var_spec public_field_definition field_definition
    """
)
GROWS = word_set("augmented_assignment augmented_assignment_expression compound_assignment_expr")
LAMBDAS = word_set("arrow_function lambda closure_expression")
FUNCTIONS = word_set(
    """
    function_definition function_declaration generator_function_declaration generator_function
    method_definition arrow_function function_expression function_item method_declaration func_literal
    closure_expression
    """
)
CLASSES = word_set("class_definition class_declaration class impl_item abstract_class_declaration mod_item")
BLOCKS = word_set(
    """
    block statement_block module program source_file class_body statement_list switch_case switch_default
    expression_case declaration_list default_case case_clause
    """
)
STATEMENTS = word_set(
    """
    expression_statement return_statement lexical_declaration variable_declaration let_declaration
    short_var_declaration assignment_statement var_declaration const_declaration throw_statement
    raise_statement assert_statement public_field_definition field_definition
    """
)
WRAPS = word_set(
    """
    parenthesized_expression await_expression await as_expression satisfies_expression non_null_expression
    reference_expression try_expression literal_element expression_list expression_statement
    """
)
MEMBERS = word_set("attribute member_expression field_expression selector_expression")
STRINGS = word_set(
    """
    string template_string concatenated_string string_literal raw_string_literal interpreted_string_literal
    """
)
NAMES = word_set(
    """
    identifier attribute member_expression subscript_expression subscript field_expression
    selector_expression shorthand_property_identifier slice_expression index_expression
    """
)
BINARY = word_set("binary_operator binary_expression")
CHOICES = word_set("conditional_expression ternary_expression boolean_operator")

WANTED = (
    CALLS
    | RECORDS
    | ASSIGNS
    | GROWS
    | LAMBDAS
    | FUNCTIONS
    | CLASSES
    | BLOCKS
    | STATEMENTS
    | word_set(
        """
        pair keyword_argument keyed_element field_initializer macro_invocation yield comparison_operator
        binary_expression array list tuple list_comprehension with_statement template_string
        """
    )
)
"""What a tree of writers is made of."""
