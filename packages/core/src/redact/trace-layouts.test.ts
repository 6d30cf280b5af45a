import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

/** A text in which `«…»` stands around what must go. */
function expectGone(marked: string): void {
  const gone = [...marked.matchAll(/«([^»]*)»/g)].map(([, part = '']) => part);
  const text = marked.replace(/[«»]/g, '');
  for (const form of [text, JSON.stringify({ message: text })]) {
    const { value } = redact(form);
    for (const part of gone) {
      expect(value, form).not.toContain(form === text ? part : JSON.stringify(part).slice(1, -1));
    }
  }
  expect(JSON.stringify(redact({ message: text }).value)).toBe(
    JSON.stringify({ message: redact(text).value }),
  );
}

describe('Go without a head', () => {
  test.each([
    'load: «github.com/acme/fx/pkg/rates.(*Loader).Pull»\n\t«/srv/fx/pkg/rates/loader.go:88»\n«runtime.main»\n\t/usr/local/go/src/«runtime/proc.go:271»',
    'dial failed\n«main.connect»\n\t«/build/cmd/fx/main.go:41»\n«main.main»\n\t«/build/cmd/fx/main.go:12»',
    'boom\n«acme.io/shop/v2/internal/cart.Add.func1»\n    «/go/src/cart/add.go:9»',
    'panic: nil map\n\n«main.(*Cart).add(...)»\n\t«/app/cart.go:31»\n«main.main()»\n\t«/app/main.go:9 +0x1c»',
    'nil deref: «main.(*Cart).Add»(0xc000012000) «/app/cart/add.go:31» +0x1c',
    'wrapped: «shop/cart.Add» «/app/cart/add.go:31»',
    'goroutine 7 [chan receive]:\n«main.work»(0x1)\n\t«/app/work.go:3» +0x2\ncreated by «github.com/acme/hub.New» in goroutine 1',
    'goroutine 7 [chan receive]:\n«main.work»(0x1)\n\t«/app/work.go:3» +0x2\ncreated by «github.com/acme/hub.New» in goroutine 1\n\t«/app/hub.go:12» +0x1f',
    'level=ERROR source=«/app/cart/add.go:31» msg="add failed"',
    'level=error caller=«cart/add.go:31» msg="add failed"',
    'ts=1 caller=«add.go:31» level=error err="no cart"',
    '2026/11/18 10:00:00 «/app/cart/add.go:31»: no cart',
    'ERROR «cart/add.go:31» no cart\n«github.com/acme/shop/cart.Add»\n\t«/app/cart/add.go:31»',
    'no cart (file «/app/cart/add.go:31» in «cart.Add»)',
  ])('%s', expectGone);
});

describe('traces on one line', () => {
  test.each([
    'bad row in «/srv/imp/Row.php:33» Stack trace: #0 «/srv/imp/run.php(12)»: «Imp\\Row::parse»() #1 {main}',
    'Uncaught Exception: no cart in «/www/a.php:3» Stack trace: #0 [internal function]: «Cart->add»(Array) #1 «/www/b.php(7)»: «array_map»(Object(Closure), Array) #2 {main} thrown',
    "no cart #0 «/www/a.php(3)»: «Shop\\Cart->add»(4, 'x') #1 «/www/b.php(9)»: «Shop\\run»()",
    'exception with message no cart, trace: #0 «/www/lib/cart.php(3)»: «Cart->add»()',
    'oops at «zt» («chunk-9A1B.js:1:443») at «e.run» («main-77aa01.js:2:9»)',
    'TypeError: x is undefined at «Object.add» («cart.mjs:3:5») at «async run» («index.mjs:9:1»)',
    'TypeError: x is undefined at «zn» («app.bundle.js:1:20031»)',
    'x is undefined «zt@chunk-9A1B.js:1:443» «run@main.js:2:9»',
    'x is undefined at «https://cdn.acme.dev/a/b.min.js:1:9921» at «https://cdn.acme.dev/a/c.min.js:1:5»',
    'no cart    at «Acme.Shop.Cart.Add(Int32 id)»    at «Acme.Shop.Program.Main(String[] args)»',
    'System.Exception: no cart at «Acme.Shop.Cart.Add(Int32 id)» in «/src/Shop/Cart.cs:line 31» at «Acme.Shop.Program.Main»()',
    'no cart --- at «Acme.Shop.Cart.<AddAsync>d__4.MoveNext()» --- End of stack trace from previous location ---',
    'no cart; «com.acme.shop.Cart.add(Cart.java:31)» «com.acme.shop.Main.main(Main.java:9)»',
    'no cart [«com.acme.shop.Cart.add(Cart.java:31)», «com.acme.shop.Main.main(Main.java:9)»]',
    'ERROR [main] «com.acme.shop.Cart.add(Cart.kt:31)» - no cart',
    'no cart, suspended at «com.acme.shop.CartKt$add$1.invokeSuspend(Cart.kt:31)»',
    'bad map at «Rates.Fx.pull/1» («rates 0.1.0») «lib/rates/fx.ex:18»',
    '** (KeyError) key :a not found («rates 0.1.0») «lib/rates/fx.ex:18: Rates.Fx.pull/1» («stdlib 5.0») «gen_server.erl:1123: :gen_server.try_handle_call/4»',
    'bad map in «lib/rates/fx.ex:18: Rates.Fx.pull!/2»',
    "Cannot find module './y' Require stack: - «/srv/app/dist/server.js» - «/srv/app/dist/boot.js»",
    "Cannot find module 'y'\nRequire stack:\n  - «/srv/app/dist/server.js»\n  - «/srv/app/dist/boot.js»",
    'Traceback (most recent call last): File "«/srv/etl/load.py»", line 88, in «load_rows» «x = rows[5]» File "«/srv/etl/run.py»", line 3, in <module> «load_rows()» KeyError: \'n\'',
    'KeyError: «/srv/etl/load.py:88» in «load_rows»',
    'no rows («/srv/etl/load.py:88»)',
    'IndexError at «/srv/etl/load.py:88» «load_rows»()',
    "lua: «/srv/fx/rates.lua:31»: no map stack traceback: [C]: in function 'error' «/srv/fx/rates.lua:31: in function 'pull'» «/srv/fx/main.lua:3: in main chunk» [C]: in ?",
    "no map stack traceback: «rates.lua:31: in upvalue 'pull'» «main.lua:3: in main chunk» [C]: in ?",
    'no cart at «/srv/shop/Cart.pm line 31». «Shop::Cart::add(4) called at /srv/shop/run.pl line 9»',
    'no cart at «bin/run.cgi line 31».',
    'Died at «t/cart.t line 31».',
    "«/srv/shop/cart.rb:31:in 'add'»: no cart (KeyError) from «/srv/shop/run.rb:3:in '<main>'»",
    'no cart ["«app/cart.rb:31:in `add\'»", "«app/run.rb:3:in `block in run\'»"]',
    "no cart (src/shop/cart.cr:31:5 in 'add')".replace('src/shop/cart.cr:31:5', '«src/shop/cart.cr:31:5»'),
    'error, called at «src/Shop/Cart.hs:31:5» in «shop-0.1:Shop.Cart»',
    'no cart CallStack (from HasCallStack): error, called at «src/Shop/Cart.hs:31:5» in «main:Shop.Cart»',
    'no cart stack backtrace: 0: «shop::cart::add» at «src/cart.rs:31:5» 1: «shop::main» at «src/main.rs:3:9»',
    'Error: bad magic («src/decode.rs:88:13»)',
    'no cart Stacktrace: [1] «add»(id::Int64) @ «Shop» «/srv/shop/cart.jl:31» [2] «top-level scope» @ «/srv/shop/run.jl:3»',
    'no cart #0 «CartState.add» («package:shop/cart.dart:31:5») #1 «main» («package:shop/main.dart:3:1»)',
    'SIGSEGV #0 0x4f2a in «cart_add» «/src/cart.c:31» #1 0x4f2b in «main» «/src/main.c:3»',
  ])('%s', expectGone);
});

describe('other layouts', () => {
  test.each([
    'Error: failed to open manifest\n\nLocation:\n    «crates/loader/src/manifest.rs:58:10»',
    'failed to load\nLocation:\n   «src/loader/mod.rs:12:5»\nBacktrace omitted.',
    'failed to load Location: «src/loader/mod.rs:12:5»',
    'Thread 0x00007f (most recent call first):\n  File "«/srv/ml/infer.py»", line 9 in «predict_rows»\n  File "«/srv/ml/main.py»", line 3 in <module>',
    'File «/srv/ml/infer.py:9», in «predict_rows»(x)',
    'File "«/srv/ml/infer.py»" in «predict_rows»',
    '╭─ Traceback (most recent call last) ─╮\n│ «/srv/ml/infer.py:9» in «predict_rows» │\n│ ❱  9 │   «x = rows[5]» │\n╰─╯\nKeyError: 5',
    '<FrameSummary file «/srv/ml/infer.py», line 9 in «predict_rows»>',
    '/srv/ml/infer.py in predict_rows at line 9'.replace(
      '/srv/ml/infer.py in predict_rows',
      '«/srv/ml/infer.py» in «predict_rows»',
    ),
    'crash {«rates_srv,pull»,1,[{file, "«src/rates_srv.erl»"}, {line, 18}]}',
    'exit: [{«Rates.Fx», :«pull», 1, [file: ~c"«lib/rates/fx.ex»", line: 18]}]',
    "exit: {«Rates.Fx», :«pull», 1, [file: 'lib/rates/fx.ex', line: 18]}".replace(
      'lib/rates/fx.ex',
      '«lib/rates/fx.ex»',
    ),
    'GenServer «Rates.Scheduler» terminating\n** (stop) time out',
    '** Generic server «rates_srv» terminating',
    "Error in «fit_rates(df, y ~ x)» : object 'y' not found",
    'Can\'t locate object method "pull" via package "«Acme::Rates::Client»" at «/srv/Client.pm line 3».',
    "prog: «src/cart.c:31: cart_add»: Assertion `p' failed.",
    ' 0# «shop::add(int)» at «/src/cart.cpp:31»\n 1# «main» at «/src/main.cpp:3»',
    '    @     0x4f2a31 «shop::Cart::add()»\n    @     0x4f2b31 «main»',
    'Stacktrace:\n [1] «add»(id::Int64)\n   @ «Shop» «/srv/shop/cart.jl:31»',
    'no cart\n at «add» («/srv/shop/cart.jl:31»)',
    'Exception in thread "main" no cart\n\tat «_COROUTINE._BOUNDARY._(CoroutineDebugging.kt:42)»\n\tat «com.acme.Cart.add(Cart.kt:3)»',
    'kotlin.Exception: no cart\n    at 0   shop.kexe    0x10a «kfun:com.acme.Cart#add(){} + 88 (/src/Cart.kt:3:5)»',
    'Fatal error: no cart: file «Shop/Cart.swift», line 31',
    'no cart in «/srv/shop/x.php» (line 33)',
    '[lua] «rates.lua:31: pull()»: no map',
    'wasm trap: unreachable\n    at «shop.wasm.add» («<wasm>:wasm-function[31]:0x4f»)',
    'error while executing at wasm backtrace:\n    0: 0x4f2a - «shop!cart_add»\n    1: 0x4f2b - «shop!_start»',
    'Error: no cart\n    at «add» («address at index.android.bundle:1:443»)',
    'Caused by: no cart\n  |- «com.acme.Cart.add(Cart.java:31)»',
  ])('%s', expectGone);
});

describe('what is told beside a frame stays', () => {
  test.each([
    [
      "/home/deploy/apps/shop/cart.rb:22:in `block in add': divided by 0 (ZeroDivisionError)",
      '[stack:1]: divided by 0 (ZeroDivisionError)',
    ],
    ['no cart at t (chunk.js:1:443) while adding', 'no cart [stack:1] while adding'],
    ['bad map at Rates.Fx.pull/1 (rates 0.1.0) lib/rates/fx.ex:18', 'bad map at [stack:1]'],
    [
      "Cannot find module './y' Require stack: - /srv/a.js - /srv/b.js",
      "Cannot find module './y' Require stack: [stack:1]",
    ],
    ['load failed\nmain.run\n\t/app/main.go:3', 'load failed\n[stack:1]'],
    [
      'Error: no manifest\nLocation:\n    src/x.rs:58:10\nRetry later',
      'Error: no manifest\nLocation:\n    [stack:1]\nRetry later',
    ],
  ])('%s', (text, left) => {
    expect(redact(text).value).toBe(left);
  });
});

describe('what only looks like a trace stays', () => {
  test.each([
    "src/app.ts:12:5 error 'x' is assigned a value but never used  no-unused-vars",
    'src/app.ts:12:5 - error TS2304: Cannot find name',
    '/repo/src/app.ts:12:5: error: expected ;',
    '/repo/src/app.ts(12,5): error TS2304: Cannot find name',
    'main.go:14:2: undefined: fmt.Printn',
    './cart/add.go:14:2: undefined: x',
    'cart.go:14:2: declared and not used: x\nadd.go:3:1: missing return',
    'src/lib.rs:3:5: warning: unused variable',
    'error[E0425]: cannot find value `x`\n --> src/main.rs:3:5',
    'app/models/cart.rb:3:5: C: Style/StringLiterals: Prefer single quotes',
    'tests/test_cart.py:31: AssertionError',
    'tests/test_cart.py::test_add FAILED',
    'lib/cart.ex:3: warning: unused variable x'.replace(
      'lib/cart.ex:3: warning: unused variable x',
      'cart.py:3:1: E302 expected 2 blank lines',
    ),
    'Cart.java:31: error: cannot find symbol',
    'cart.c:31:5: error: expected expression',
    'The option is documented in docs/setup.md:14',
    'See README.md:14 and docs/a.md:3',
    'Error: no such option (see docs/setup.md:14)',
    'Location: Berlin',
    'Location: https://example.com/a/b',
    'Location:\n    Berlin, room 3:12',
    'Require stack traces? Set the flag verbose',
    'at first (see page 3:12) the limit was 5',
    'Genesis 1:1 at noon (room 2:14)',
    'Meet at Café Central (Herrengasse 14)',
    'at 12:30:15 the job started',
    'Look at Cart.add() for details',
    'Call Cart.add(id) before Cart.remove(id)',
    'the version is at most 3.1 (build 12:5)',
    '#1 of 3 tries failed, #2 is next',
    'Fixed in #12 (see #13): no cart',
    'Issue #0 (first): title is missing',
    '1: add the cart 2: pay at the till',
    'source=api level=error msg="no cart"',
    'source: docs/intro.md:3',
    'caller=mobile level=warn',
    'caller: +1 is not a country',
    'Error in cell B3: value is no number',
    'Error in (3): missing operand',
    'Process cart terminating early',
    'Server rates is terminating',
    'GenServer is not started',
    'Called at noon in Berlin',
    'error, called at 12:30 in room 5',
    'npm error path /usr/local/lib/node_modules',
    'Stack trace is not available',
    'stack traceback: none',
    'x@example in line 3:12 is not an address',
    'user.js@host is not a package',
    'Could not read line 3 in sheet Total',
    'Invalid JSON at line 3 column 5',
    'YAML error at line 3, in key cart',
    'Syntax error in query.sql:3',
    'The file report.py in folder a was not found',
    'cart.go is not formatted',
    'ratio 3:12 in cart_add',
    'lib/cart.ex is not formatted',
    'main.main is not a table',
    'Assertion failed: total must be 5',
    'Backtrace omitted. Run with RUST_BACKTRACE=1',
    'Use com.acme.Cart as the main class',
    'The method add(Cart) is undefined for the type Shop',
    'See at https://example.com/a:80/b',
    'in /etc/hosts (line 3) a name is missing',
    'The value at a.b.c (3:5) is wrong',
    'at least 3 (of 5:1) are needed',
    '- /data/a.csv\n- /data/b.csv',
  ])('%s', (text) => {
    expect(redact(text)).toEqual({ value: text, findings: [] });
  });
});
