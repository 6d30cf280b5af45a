import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

/** All strings that have to go have `zq` in them. */
function expectGone(value: unknown): void {
  const text = JSON.stringify(value);
  const forms = [
    redact(text).value,
    JSON.stringify(redact(value).value),
    redact(JSON.stringify(value, null, 2)).value,
    redact(`failed: ${text}`).value,
    JSON.stringify(redact({ text }).value),
  ];
  for (const form of forms) {
    expect(form).not.toMatch(/zq/i);
  }
  // A value is walked level by level: the numbers may differ.
  const [asText, asValue] = forms.map((form) => form.replace(/\[stack:\d+\]/g, '[stack]'));
  expect(asText).toBe(asValue);
}

describe('frames as members', () => {
  test.each<unknown>([
    { frames: [{ filename: '/srv/zq.py', lineno: 3, function: 'zq_on', context_line: 'x = zq[5]' }] },
    {
      stacktrace: {
        frames: [
          {
            abs_path: '/srv/zq.py',
            module: 'zq.load',
            lineno: 3,
            function: 'zq',
            pre_context: ['def zq():', '  a = zq'],
            context_line: 'b = zq',
            post_context: ['return zq'],
            vars: { row: "'zq'" },
          },
        ],
      },
    },
    {
      stackTrace: [
        { declaringClass: 'com.zq.Loader', methodName: 'pullZq', fileName: 'Zq.java', lineNumber: 7 },
      ],
    },
    { stackTrace: [{ className: 'com.zq.Loader', methodName: 'zq', lineNumber: 7, moduleName: 'zq.mod' }] },
    {
      thrown: {
        extendedStackTrace: [
          { class: 'com.zq.Loader', method: 'zq', file: 'Zq.java', line: 7, location: 'zq.jar' },
        ],
      },
    },
    {
      context: { reportLocation: { filePath: '/srv/zq/lookup.js', lineNumber: 61, functionName: 'findZq' } },
    },
    { sourceLocation: { file: '/srv/zq.go', line: '31', function: 'main.zq' }, severity: 'ERROR' },
    { msg: 'x', source: { function: 'main.zq', file: '/srv/zq.go', line: 31 } },
    { msg: 'x', src: { file: '/srv/zq.js', line: 31, func: 'zq' } },
    { level: 'error', func: 'main.zq', file: '/srv/zq.go:31', msg: 'no cart' },
    { level: 'error', caller: 'cart/zq.go:31', msg: 'no cart' },
    {
      level: 'error',
      logger: 'shop',
      caller: 'zq.go:31',
      stacktrace: 'main.zq\n\t/srv/zq.go:31\nmain.main\n\t/srv/zq.go:9',
    },
    { trace: [{ filename: 'zq.rb', lineno: 3, method: 'zq', code: 'x = zq' }] },
    {
      stacktrace: [
        {
          file: 'zq.rb',
          lineNumber: 3,
          columnNumber: 2,
          method: 'Zq#add',
          code: { 2: 'def zq', 3: 'zq + 1' },
        },
      ],
    },
    { backtrace: [{ number: '31', file: '/srv/zq.rb', method: 'zq', source: { 31: 'x = zq' } }] },
    {
      parsedStack: [
        {
          level: 0,
          method: 'Zq.Cart.Add',
          assembly: 'Zq, Version=1.0',
          fileName: 'c:\\zq\\cart.cs',
          line: 3,
        },
      ],
    },
    {
      callFrames: [
        {
          functionName: 'zq',
          scriptId: '3',
          url: 'https://cdn.acme.dev/zq.js',
          lineNumber: 3,
          columnNumber: 5,
        },
      ],
    },
    {
      stacktrace: [
        { abs_path: '/srv/zq.js', filename: 'zq.js', line: { number: 3, context: 'zq()' }, function: 'zq' },
      ],
    },
    { 'code.filepath': '/srv/zq.py', 'code.lineno': 3, 'code.function': 'zq', 'code.namespace': 'zq.load' },
    {
      attributes: { 'code.file.path': '/srv/zq.py', 'code.line.number': 3, 'code.function.name': 'zq.load' },
    },
    { log: { origin: { file: { name: 'zq.py', line: 3 }, function: 'zq' } } },
    { 'log.origin': { 'file.name': 'zq.py', 'file.line': 3, function: 'zq' } },
    { record: { file: { name: 'zq.py', path: '/srv/zq.py' }, function: 'zq', line: 3, module: 'zq' } },
    { event: 'x', filename: 'zq.py', lineno: 3, func_name: 'zq' },
    {
      exception: [
        {
          exc_type: 'KeyError',
          frames: [{ filename: '/srv/zq.py', lineno: 3, name: 'zq', locals: { a: "'zq'" } }],
        },
      ],
    },
    { trace: [{ column: 3, file: '/srv/zq.js', function: 'zq', line: 3, method: 'zq', native: false }] },
    {
      message: 'x',
      exception: 'Error',
      file: '/srv/zq.php',
      line: 3,
      trace: [{ file: '/srv/zq.php', line: 9, function: 'zq', class: 'App\\Zq', type: '->' }],
    },
    { exc_info: [['/srv/zq.py', 90, 'charge_zq', 'gateway.zq(amount)']] },
    { tb: [['/srv/zq.py', 90, 'charge_zq']] },
    {
      traceback: [
        'Traceback (most recent call last):\n',
        '  File "/srv/zq.py", line 44, in zq\n',
        '    return await zq.get(user)\n',
        'KeyError: 5\n',
      ],
    },
    { traceback: ['  File "/srv/zq.py", line 44, in zq', '    return await zq.get(user)'] },
    { stack: ['Error: x', '    at zq (/srv/zq.js:3:5)', '    at async zq2 (zq.js:9:1)'] },
    { stack: ['zq (/srv/zq.js:3:5)', 'zq2 (zq.js:9:1)'] },
    { backtrace: ["app/zq.rb:3:in `zq'", "app/zq.rb:9:in `block in zq'"] },
    { trace: ['#0 /srv/zq.php(3): Zq->add()', '#1 {main}'] },
    { trace: ['/srv/zq.php:33', '/srv/zq.php:12'] },
    { stackTrace: ['com.zq.Cart.add(Cart.java:31)', 'com.zq.Main.main(Main.java:9)'] },
    { stack: ['main.zq', '\t/srv/zq.go:31', 'main.main', '\t/srv/zq.go:9'] },
    { mfa: 'Zq.Fx.pull/1', file: 'lib/zq/fx.ex', line: 18, msg: 'bad map' },
    { message: 'x', target: 'zq::load', filename: 'src/zq.rs', line_number: 12, level: 'ERROR' },
    { locations: [{ path: '/srv/zq.rb', lineno: 3, label: 'Zq#add', base_label: 'zq' }] },
    {
      error: { name: 'TypeError', fileName: 'zq.js', lineNumber: 3, columnNumber: 5, stack: 'zq@zq.js:3:5' },
    },
    {
      ErrorRecord: {
        ScriptName: 'C:\\zq\\deploy.ps1',
        ScriptLineNumber: 3,
        Line: 'Invoke-Zq $x',
        MyCommand: 'Invoke-Zq',
      },
    },
    {
      exception: { stack_trace: [{ source_file: 'zq.swift', line: 3, symbol: 'Zq.add()', image: 'ZqApp' }] },
    },
    {
      errors: [
        {
          message: 'x',
          extensions: { exception: { stacktrace: ['Error: x', '    at zq (/srv/zq.js:3:5)'] } },
        },
      ],
    },
    {
      threads: [
        { stackFrames: [{ fileName: 'Zq.kt', lineNumber: 3, className: 'com.zq.A', methodName: 'zq' }] },
      ],
    },
    {
      crash: { frames: [{ symbol: 'zq_add', file: 'zq.c', line: 3, module: 'libzq.so', address: '0x4f2a' }] },
    },
  ])('%j', expectGone);

  test.each([
    'Backtrace [{ fn: "zq::add", file: "./src/zq.rs", line: 3 }, { fn: "zq::main", file: "./src/zq.rs", line: 9 }]',
    'no cart, implicit: Location { file: "src/zq.rs", line: 3, column: 5 }',
    "no cart {'filename': '/srv/zq.py', 'lineno': 3, 'name': 'zq', 'line': 'x = zq[5]'}",
    "no cart { file: '/srv/zq.js', line: 3, function: 'zq', column: 5 }",
    'no cart {File:/srv/zq.go Line:31 Function:main.zq}',
    'level=error file=/srv/zq.go line=31 func=main.zq msg="no cart"',
    'file="/srv/zq.py" lineno=31 func_name=zq event="no cart"',
    "CallSite { functionName: 'zq', fileName: 'zq.js', lineNumber: 3 }",
  ])('as printed by a program: %s', (text) => {
    expect(redact(text).value).not.toMatch(/zq/i);
  });
});

describe('members that are no frame', () => {
  test.each<unknown>([
    { file: 'src/app.ts', line: 12, rule: 'no-unused-vars' },
    {
      filePath: '/repo/src/app.ts',
      messages: [{ ruleId: 'semi', line: 3, column: 5, message: 'Missing semicolon' }],
    },
    { path: 'src/app.ts', line: 12, severity: 'error', message: 'x is not defined', source: 'eslint' },
    { results: [{ path: 'a.py', start: { line: 3, col: 1 }, check_id: 'rules.eval' }] },
    { file: 'cart.py', line: 12, function: 'add', ruleId: 'C901', message: 'too complex' },
    { method: 'tools/call', class: 'economy' },
    { method: 'POST', path: '/v1/orders', line: 3 },
    { function: 'total', error: 'does not exist' },
    { name: 'total', line: 3, error: 'unknown function' },
    { file: 'report.csv', line: 3, error: 'bad number' },
    { file: 'report.csv', line: 3, column: 'total', value: 'x1' },
    { fileName: 'orders.xlsx', row: 12, message: 'missing price' },
    { path: ['orders', 0, 'sku'], line: 3 },
    { locations: [{ line: 3, column: 5 }], message: 'Cannot query field "x"', path: ['cart'] },
    { stack: 'production', error: 'not deployed' },
    { stack: ['network', 'database'], status: 'failed' },
    { trace: true, function: 'add' },
    { traceId: 'abc', module: 'billing', code: 'E12' },
    { module: 'billing', class: 'A', code: 'E12', line: 3 },
    { frames: 24, codec: 'h264', file: 'a.mp4' },
    { frames: [{ x: 1, y: 2, name: 'hero' }] },
    { error: 'no such class', class: 'economy', seat: 3 },
    { caller: 'mobile', error: 'no route' },
    { source: 'api', target: 'db', error: 'refused' },
    { file: '/data/in.csv', line: 31, message: 'too many columns' },
    { diagnostics: [{ file: 'main.tf', line: 3, summary: 'Unsupported argument' }] },
    { symbol: 'ACME', line: 3, error: 'unknown symbol' },
    { label: 'bug', path: 'a/b', error: 'exists' },
    { exception: 'holiday', date: '2026-12-24' },
    { exceptions: [{ date: '2026-12-24', label: 'holiday' }] },
    {
      rows: [
        ['a.csv', 3, 'price'],
        ['b.csv', 5, 'sku'],
      ],
    },
    { definitions: [{ name: 'add', kind: 'function', file: 'src/cart.ts', line: 3 }] },
    { code: { language: 'py', source: 'x = 1' }, error: 'timeout' },
    { annotations: [{ path: 'src/a.ts', start_line: 3, annotation_level: 'failure', message: 'x' }] },
  ])('%j', (value) => {
    expect(redact(value).value).toEqual(value);
    expect(redact(JSON.stringify(value)).value).toBe(JSON.stringify(value));
  });
});
