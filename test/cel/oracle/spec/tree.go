package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/ast"
)

// tree writes a checked tree in one line: for each node its id, its type and what it refers to.
type tree struct {
	checked *ast.AST
}

func (t tree) node(e ast.Expr) string {
	text := fmt.Sprintf("%s#%d~%s", t.form(e), e.ID(), checker.FormatCELType(t.checked.GetType(e.ID())))
	reference, ok := t.checked.ReferenceMap()[e.ID()]
	if !ok {
		return text
	}
	if len(reference.OverloadIDs) == 0 {
		return text + "^" + reference.Name
	}
	sort.Strings(reference.OverloadIDs)
	return text + "^" + strings.Join(reference.OverloadIDs, "|")
}

func (t tree) form(e ast.Expr) string {
	switch e.Kind() {
	case ast.LiteralKind:
		text, ok := show(e.AsLiteral())
		if !ok {
			panic("a literal that cannot be shown")
		}
		return text
	case ast.IdentKind:
		return e.AsIdent()
	case ast.SelectKind:
		selected := e.AsSelect()
		mark := map[bool]string{true: "?"}[selected.IsTestOnly()]
		return t.node(selected.Operand()) + "." + selected.FieldName() + mark
	case ast.CallKind:
		call := e.AsCall()
		text := call.FunctionName() + "(" + t.nodes(call.Args()...) + ")"
		if call.IsMemberFunction() {
			return t.node(call.Target()) + "." + text
		}
		return text
	case ast.ListKind:
		list := e.AsList()
		parts := []string{}
		for i, element := range list.Elements() {
			parts = append(parts, optional(list.IsOptional(int32(i)))+t.node(element))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case ast.MapKind:
		parts := []string{}
		for _, each := range e.AsMap().Entries() {
			entry := each.AsMapEntry()
			text := fmt.Sprintf("%s: %s#%d", t.node(entry.Key()), t.node(entry.Value()), each.ID())
			parts = append(parts, optional(entry.IsOptional())+text)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case ast.ComprehensionKind:
		loop := e.AsComprehension()
		names := []string{loop.IterVar(), loop.IterVar2(), loop.AccuVar()}
		parts := t.nodes(loop.IterRange(), loop.AccuInit(), loop.LoopCondition(), loop.LoopStep(), loop.Result())
		return "loop(" + strings.Join(names, ", ") + ", " + parts + ")"
	}
	panic("a node of an unknown kind")
}

func (t tree) nodes(all ...ast.Expr) string {
	parts := []string{}
	for _, each := range all {
		parts = append(parts, t.node(each))
	}
	return strings.Join(parts, ", ")
}

func optional(is bool) string {
	if is {
		return "?"
	}
	return ""
}
