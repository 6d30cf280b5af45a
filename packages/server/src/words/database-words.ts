/**
 * What databases say to the letter. Drivers that give their exceptions no code (sql.js, D1, what somebody has wrapped) still
 * throw their words: those prove whose they are.
 */
import { textsIn } from './sent.ts';

/** What nobody else says. */
const SENTENCES: readonly RegExp[] = [
  // SQLite.
  /\b(?:NOT NULL|CHECK|UNIQUE|PRIMARY KEY|FOREIGN KEY) constraint failed\b/,
  /\bSQLITE_[A-Z]{3,}|\bD1_ERROR\b/,
  /(?:^|: )\w{1,100}\.\w{1,100} may not be NULL\b/,
  /(?:^|: )table \w{1,100} has \d{1,6} columns but \d{1,6} values were supplied\b/,
  /(?:^|: )attempt to write a readonly database\b/,
  /(?:^|: )cannot (?:start a transaction within a transaction|(?:commit|rollback) - )/,
  /(?:^|: )cannot modify \w{1,100} because it is a view\b/,
  // MySQL.
  /\bDuplicate entry '[^\n]{1,500}' for key '/,
  /\bCannot (?:add or update|delete or update) a (?:child|parent) row: /,
  /\b(?:Data too long|Out of range value|Data truncated|Incorrect [\w ]{1,40} value: '[^\n]{0,1000}') for column [^\n]{1,300} at row \d/,
  /\bColumn count doesn't match value count at row \d/,
  // SQL Server.
  /\bViolation of (?:UNIQUE|PRIMARY) KEY constraint\b|\bCannot insert duplicate key\b|\bCannot insert the value NULL into column '/,
  /\bconflicted with the (?:CHECK|FOREIGN KEY|REFERENCE|SAME TABLE REFERENCE) constraint\b/,
];

/** What others may say of a column, a table or a function that the caller has named. */
const NAMED: readonly RegExp[] = [
  /(?:^|: )table (\w{1,100}) (?:has no column named \w|already exists\b)/,
  /(?:^|: )(?:no such (?:function|index|trigger|view|collation sequence)|ambiguous column name): ([\w.]{1,100})/,
  /(?:^|: )near "([^"\n]{1,200})": syntax error\b/,
  /(?:^|: )(?:Field|Column) '(\w{1,100})' (?:doesn't have a default value|cannot be null)$/,
  /(?:^|: )Check constraint '(\w{1,100})' is violated\b/,
];

/** Do the words alone prove that a database of the server's has said them? */
export function isOfTables(message: string, sent: unknown): boolean {
  if (SENTENCES.some((form) => form.test(message))) return true;
  const name = NAMED.map((form) => form.exec(message)?.[1]).find((one) => one !== undefined);
  return name !== undefined && !textsIn(sent).some((text) => text.includes(name));
}

/** What D1 puts around the words of SQLite. */
const AROUND = /^D1_ERROR: |: SQLITE_[A-Z_]{3,40}(?: \(extended: SQLITE_[A-Z_]{3,60}\))?$/g;

/** What SQLite said by itself. */
export function plainlySaid(message: string): string {
  return message.replace(AROUND, '');
}
