import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

describe('places of code, as languages print them', () => {
  test.each([
    ['R', 'Error in total(x) : no rows\n3: check(x) at prices.R#41\n2: total(x) at report.R:7\n1: run()'],
    ['R, calls', 'Error in total(x) : no rows\nCalls: source -> prices -> total\nExecution halted'],
    ['R, in a sentence', 'no rows at R/prices.R:41:3'],
    ['Clojure', 'Execution error (ClassCastException) at depot.prices/total (prices.clj:41).'],
    ['Clojure, reader', 'Syntax error reading source at (depot/prices.cljc:41:2).'],
    [
      'Zig',
      'panic: overflow\n/opt/depot/prices.zig:41:9: 0x1f in total (depot)\n    return a + b;\n           ^',
    ],
    ['Swift', '3 0x00007f2a in closure #1 in total() at /opt/depot/Sources/prices.swift:41'],
    ['Swift, sixes', '2 0x1a2b total() + 44 in depot at /opt/depot/prices.swift:41:7'],
    ['Swift, in a sentence', 'unwrapped nil in total() at /opt/depot/Sources/prices.swift:41'],
    ['Nim', 'boom\n/opt/depot/prices.nim(41) total\n/opt/depot/main.nim(3, 5) prices'],
    ['PHP as HTML', '<b>Warning</b>: no rows in <b>/opt/depot/prices.php</b> on line <b>41</b><br />'],
    ['PHP as HTML in JSON', '{"e":"no rows in <b>/opt/depot/prices.php<\\/b> on line <b>41<\\/b>"}'],
    ['React Native', 'Error: no rows\ntotal@prices.ios.bundle:41:1207\n@prices.jsbundle:3:77'],
    ['.NET in German', '   bei Depot.prices.Total(Int32 n) in C:\\depot\\prices.cs:Zeile 41.'],
    ['.NET in French', '   à Depot.prices.Total() dans C:\\depot\\prices.cs:ligne 41'],
    ['.NET in Russian', '   в Depot.prices.Total() в C:\\depot\\prices.cs:строка 41'],
    ['C', '0x55d2: total at ./src/prices.c:41'],
    ['Fortran', 'At line 41 of file /opt/depot/prices.f90'],
    ['Racket', 'car: contract violation\n/opt/depot/prices.rkt:41:2: total'],
    ['Tcl', 'no rows\n    (procedure "prices" line 41)'],
    ['MATLAB', 'No rows.\nError in prices>total (line 41)'],
    ['Apex', 'Class.depot.prices: line 41, column 1'],
    ['Bash', '/opt/depot/prices.sh: line 41: jq: command not found'],
  ])('%s', (_, text) => {
    const { value } = redact(text);
    expect(value).not.toMatch(/prices|41/);
    expect(value).toContain('[stack:');
  });

  test.each([
    '1. Fix the overflow in src/main.c:12',
    '3: bread (sliced)\n4: milk (whole)',
    'Sources/App/Cart.swift:9:5: error: cannot find name in scope',
    'src/cart.ts(12,3): error TS2304: Cannot find name',
    'Error in step 3 (line 12 of the form)',
    'Calls: 12 made, 3 failed',
    'The class. A new one starts at line 3',
    'Invalid JSON at line 3 column 5',
    'see core.clj and prices.R',
    'Ask for it in aisle: row 12',
    'register.r: 12 units',
    'app.bundle: 88 kB',
    'parse error in <b>bold</b> on line <b>3</b>',
  ])('stays: %s', (text) => {
    expect(redact(text)).toEqual({ value: text, findings: [] });
  });
});
