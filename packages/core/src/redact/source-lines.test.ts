import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

/** What must go of a text, in which `⟦…⟧` stands around it. */
const partsOf = (marked: string): string[] => [...marked.matchAll(/⟦([^⟧]*)⟧/g)].map(([, part = '']) => part);

describe('lines of source beside a frame go', () => {
  test.each([
    '  + Exception Group Traceback (most recent call last):\n  |   File "/srv/sync/pull.py", line 31, in pull_all\n  |     ⟦async with trio.open_nursery() as crew:⟧\n  | ExceptionGroup: unhandled (1 sub-exception)',
    '  +-+---------------- 1 ----------------\n    | Traceback (most recent call last):\n    |   File "/srv/sync/pull.py", line 31, in pull_all\n    |     ⟦rows = await fetch_rows(month)⟧\n    | ValueError: closed',
    '    | Traceback (most recent call last):\n    |   File "/srv/sync/pull.py", line 31, in pull_all\n    |     ⟦rows = await fetch_rows(month)⟧\n    |            ⟦^^^^^^^^^^^^^^^⟧\n    |   File "/srv/sync/net.py", line 9, in fetch_rows\n    |     ⟦return client.ask(month)⟧\n    | ValueError: closed',
    "KeyError                                  Traceback (most recent call last)\nCell In[4], line 2\n      ⟦1 import polars as pl⟧\n----> 2 ⟦frame.select(customer_key)⟧\n\nKeyError: 'customer'",
    "----> 4 ⟦rows = load_rows(cfg)⟧\n      5 ⟦print(rows)⟧\nNameError: name 'cfg' is not defined",
    '---> 12     ⟦return engine.total(cart)⟧',
    '<ipython-input-3-1f2e> in <module>\n      ⟦1 book = open_book(path)⟧\n----> 2 ⟦book.close_month(10)⟧\n      3',
    '~/ledger/close.py in ⟦run_month⟧(month)\n     56     ⟦book = find_book(month)⟧\n---> 58     ⟦book.close()⟧\n     59 \n\nValueError: closed',
    'File ~/ledger/close.py:58, in ⟦run_month⟧(month)\n     56 ⟦book = find_book(month)⟧\n---> 58 ⟦book.close()⟧\nValueError: closed',
    'Input In [7], in <cell line: 3>()\n      1 ⟦import pandas as pd⟧\n----> 3 ⟦df.loc[customer_key]⟧',
    '    def test_total():\n>       ⟦assert ledger.total(book) == 4⟧\nE       assert 3 == 4\n\n⟦/srv/ledger/tests/test_close.py:12⟧: AssertionError',
    'Error: closed\n    at ⟦runMonth⟧ (⟦/srv/close.js:58:9⟧)\n  56 | ⟦function runMonth(book) {⟧\n  57 |   ⟦const month = book.month;⟧\n> 58 |   ⟦book.close(month);⟧\n     |        ^\n  59 | }',
    '  56 | ⟦function runMonth(book) {⟧\n> 58 |   ⟦book.close(month);⟧\n     |        ^\n    at ⟦runMonth⟧ (⟦/srv/close.js:58:9⟧)\nError: closed',
    'Error: \n   0: closed\n\nLocation:\n   ⟦src/close.rs:58⟧\n\n  56 │ ⟦let book = find_book(month)?;⟧\n> 58 │ ⟦book.close_month()?;⟧',
    'Backtrace:\n  1: ⟦ledger::close::run_month⟧\n     at ⟦src/close.rs:58⟧\n       56 │     ⟦let book = find_book(month)?;⟧\n       58 >     ⟦book.close_month()?;⟧',
    '⟦/srv/close.js:58⟧\n    ⟦throw new ClosedError(book)⟧\n    ^\n\nClosedError: closed',
    'RuntimeError: closed\n\n  ⟦/srv/app/close.rb:58⟧\n    56: ⟦book = find_book(month)⟧\n => 58: ⟦book.close_month!⟧',
    'Extracted source (around line #58):\n56   ⟦book = find_book(month)⟧\n57   ⟦raise Closed unless book⟧\n58   ⟦book.close_month!⟧',
    'Traceback (most recent call last):\n  File "/srv/close.py", line 58, in run_month\n    ⟦total = sum(row.amount for row in rows)⟧\n            ⟦~~~^^^^^^^^^^^^^^^^^^^^^^^^^^^⟧\nTypeError: x',
  ])('%s', (marked) => {
    const { value } = redact(marked.replace(/[⟦⟧]/g, ''));
    expect(partsOf(marked).filter((part) => value.includes(part))).toEqual([]);
  });
});

describe('source that a compiler shows its author, and other drawings, stay', () => {
  test.each([
    'error[E0382]: borrow of moved value: `book`\n  --> src/main.rs:12:5\n   |\n12 |     book.close();\n   |     ^^^^ value borrowed here after move',
    '-- TYPE MISMATCH ---------- src/Main.elm\n\nThe 2nd argument to `total` is not what I expect:\n\n12|     total book month\n                   ^^^^^',
    "SyntaxError: Unexpected token (3:5)\n\n  1 | import a from 'a'\n> 3 |  foo bar\n    |      ^",
    'Error in query at line 3:\n  1 | SELECT total\n> 3 | FORM ledger\n    | ^^^^',
    'Invalid YAML at line 3, column 5:\n\n 2 | name: web\n 3 |   image: x\n-----------^',
    '| name | total |\n|------|-------|\n| a    | 3     |',
    '+---+-----+\n| 1 | abc |\n+---+-----+',
    'Diff:\n-    total = 3\n+    total = 4',
    '> 3 errors found\n> run again',
    'Step 1: open\n----> Step 2: close\nStep 3: done',
    '--> 2 files changed, 3 insertions',
    'Expected:\n  | a = 1\n  | b = 2',
    "src/app.ts:12:5 - error TS2304: Cannot find name 'total'.\n\n12     total(book)\n       ~~~~~",
    'parse error on line 2:\n{  "a": 1,  b\n------------^',
    'main.tf:12\n  12: resource "aws_instance" "web" {',
    'The diff is:\n@@ -1,3 +1,3 @@\n-old line\n+new line',
  ])('%s', (text) => {
    expect(redact(text).value).toBe(text);
  });
});
