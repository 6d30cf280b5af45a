/** Changes in a text of JSON with comments: whatever is not meant, comments and layout too, stays as it was written. */
import {
  applyEdits,
  createScanner,
  type Edit,
  findNodeAtLocation,
  modify,
  type Node,
  parseTree,
} from 'jsonc-parser';
import type { Path } from './document.ts';

/** A new value for a place in a file; `undefined` removes it. */
export interface Change {
  readonly path: Path;
  readonly value: unknown;
}

interface Layout {
  readonly unit: string;
  readonly eol: string;
}

/** The text with these changes, one after the other. */
export function editJson(text: string, changes: readonly Change[]): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const layout = { unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ', eol: text.includes('\r\n') ? '\r\n' : '\n' };
  return (
    mark + changes.reduce((edited, change) => withChange(edited, change, layout), text.slice(mark.length))
  );
}

function withChange(text: string, { path, value }: Change, layout: Layout): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const found = root && findNodeAtLocation(root, [...path])?.parent;
  if (value === undefined && found?.type === 'property') return applyEdits(text, removal(text, found));
  const holder = root && findNodeAtLocation(root, path.slice(0, -1));
  const isNew = found === undefined && holder?.type === 'object';
  if (isNew && value !== undefined)
    return applyEdits(text, addition(text, holder, String(path.at(-1)), value, layout));
  const { unit, eol } = layout;
  const formattingOptions = { tabSize: unit.length, insertSpaces: !unit.startsWith('\t'), eol };
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }));
}

/** Takes a member out with its comma, and with its lines where nothing else stands on them. */
function removal(text: string, member: Node): Edit[] {
  const siblings = member.parent?.children ?? [];
  const before = siblings[siblings.indexOf(member) - 1];
  const end = endOf(member);
  const behind = commaBehind(text, end);
  const isLast = member === siblings.at(-1);
  const ahead =
    isLast && behind === undefined && before !== undefined ? commaBehind(text, endOf(before)) : undefined;
  const isNext = behind !== undefined && /^[ \t]*$/.test(text.slice(end, behind));
  const gone = wholeLines(text, member.offset, isNext ? behind + 1 : end);
  return [
    ...(ahead === undefined ? [] : [{ offset: ahead, length: 1, content: '' }]),
    { offset: gone.from, length: gone.to - gone.from, content: '' },
    ...(behind === undefined || isNext ? [] : [{ offset: behind, length: 1, content: '' }]),
  ];
}

/** Puts a member behind the last one, and behind what is said of that one on its line. */
function addition(text: string, object: Node, name: string, value: unknown, { unit, eol }: Layout): Edit[] {
  const last = object.children?.at(-1);
  const isOneLine = !text.slice(object.offset, endOf(object)).includes('\n');
  if (last !== undefined && isOneLine && !text.trim().includes('\n'))
    return [{ offset: endOf(last), length: 0, content: `,${JSON.stringify(name)}:${JSON.stringify(value)}` }];
  if (last !== undefined && isOneLine && typeof value !== 'object')
    return [
      { offset: endOf(last), length: 0, content: `, ${JSON.stringify(name)}: ${JSON.stringify(value)}` },
    ];
  const outer = indentAt(text, object.offset);
  const indent = last !== undefined && !isOneLine ? indentAt(text, last.offset) : outer + unit;
  const member = `${JSON.stringify(name)}: ${JSON.stringify(value, null, unit).replaceAll('\n', eol + indent)}`;
  const closing = isOneLine ? eol + outer : '';
  if (last === undefined)
    return [{ offset: object.offset + 1, length: 0, content: `${eol}${indent}${member}${closing}` }];
  const [said = ''] =
    /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*)(?=\r?\n)/.exec(text.slice(endOf(last))) ?? [];
  return [
    { offset: endOf(last), length: 0, content: ',' },
    { offset: endOf(last) + said.length, length: 0, content: `${eol}${indent}${member}${closing}` },
  ];
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** Where the next comma is, if nothing but comments is before it. */
function commaBehind(text: string, at: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(at);
  scanner.scan();
  const found = scanner.getTokenOffset();
  return text[found] === ',' ? found : undefined;
}

/** What a line begins with, before anything stands on it. */
function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';
}

/** The same range, and the rest of its lines where that is blank. */
function wholeLines(text: string, from: number, to: number): { readonly from: number; readonly to: number } {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const isFirst = /^[ \t]*$/.test(text.slice(start, from));
  const [rest] = /^[ \t]*\r?\n/.exec(text.slice(to)) ?? [];
  if (isFirst && rest !== undefined) return { from: start, to: to + rest.length };
  // Behind it on its line a comment or a sibling goes on: that takes its place.
  const blank = /^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0;
  return { from, to: to + blank };
}
