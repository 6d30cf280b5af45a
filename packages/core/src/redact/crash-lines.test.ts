import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

/** What must go of a text, in which `⟦…⟧` stands around it. */
const partsOf = (marked: string): string[] => [...marked.matchAll(/⟦([^⟧]*)⟧/g)].map(([, part = '']) => part);

describe('lines of crash reports and reasons of Erlang go', () => {
  test.each([
    'Thread 0 Crashed:\n0   libswiftCore.dylib  0x00000001a1b2c3d4 ⟦_assertionFailure⟧\n1   Trail   0x0000000104a1b2c8 ⟦TileStore.open(at:)⟧ + 88 (⟦TileStore.swift:61⟧)',
    '1   Trail  0x0000000104a1b2c8 ⟦closure #1 in PullStore.load()⟧ + 88',
    '4   Trail  0x0000000104a1b2c8 ⟦PullStore.rows.getter⟧ + 12 (⟦PullStore.swift:9⟧)',
    'Last Exception Backtrace:\n0   CoreFoundation  0x1a1b2c3d4 ⟦__exceptionPreprocess⟧ + 164 (⟦NSException.m:249⟧)\n1   Trail   0x104a1b2c8 ⟦-[MapStore load:]⟧ + 88 (⟦MapStore.m:61⟧)',
    '12  Trail   0x0000000104a1b2c8 ⟦main⟧ + 64 (⟦AppDelegate.swift:12⟧)',
    '2   Trail.debug.dylib   0x0000000104a1b2c8 ⟦$s5Trail8MapStoreC4load⟧ + 412',
    'backtrace:\n      #00 pc 000000000004f3b8  /apex/com.android.runtime/lib64/bionic/libc.so (⟦abort⟧+168)\n      #01 pc 00000000000112a4  /data/app/~~a1==/com.acme.trail-b2==/lib/arm64/libtrail.so (⟦MapStore_load⟧+88)',
    '#01 pc 00000000000112a4  ⟦/data/app/com.acme.trail-1/lib/arm/libtrail.so⟧ (⟦Java_com_acme_MapStore_load⟧+88)',
    '  at ⟦java.lang.Object.wait(Native method)⟧\n  at ⟦com.acme.trail.MapStore.load(MapStore.kt:61)⟧',
    '  native: #00 pc 000000000007f3b8  ⟦/apex/com.android.art/lib64/libart.so⟧ (⟦art::ConditionVariable::Wait⟧+140)',
    '  - waiting to lock <0x0a1b2c3d> (a ⟦com.acme.trail.MapStore⟧) held by thread 12\n  at ⟦com.acme.trail.MapStore.load(MapStore.kt:61)⟧',
    'System.Exception: closed\n   at ⟦Acme.Ledger.CloseJob.Run(Int32)⟧ + 0x58\n   at ⟦Acme.Ledger.Program.Main()⟧ + 0x12',
    'NullReferenceException: x\n⟦CloseJob.Run (System.Int32 month)⟧ (at ⟦Assets/Scripts/CloseJob.cs:58⟧)',
    '⟦CloseJob:Run(Int32)⟧ (at ⟦Assets/Scripts/CloseJob.cs:58⟧)',
    'no function clause matching in ⟦sync_pull:rows/1 (src/sync_pull.erl, line 9)⟧',
    'exception error: no function clause matching ⟦sync_pull:rows/1 (src/sync_pull.erl, line 9)⟧',
    '** exception error: no case clause matching {error,closed}\n     in function  ⟦sync_pull:rows/1 (src/sync_pull.erl, line 9)⟧',
    'exception error: no match of right hand side value {error,closed} in function ⟦sync_pull:rows/1 (src/sync_pull.erl, line 9)⟧',
    'exception error: bad argument in call from ⟦sync_pull:rows/1 (sync_pull.erl, line 9)⟧',
    '** (FunctionClauseError) no function clause matching in ⟦Sync.Pull.rows/1⟧',
    '=CRASH REPORT==== exception error: undefined function ⟦sync_pull:rows/1⟧',
    '** exception error: undefined function ⟦sync_pull:rows/1⟧',
    '{function_clause,[{⟦sync_pull,rows⟧,[x],[{file,"⟦src/sync_pull.erl⟧"},{line,9}]}]}',
    '{undef,[{⟦sync_pull,rows,[x],[]⟧},{⟦gen_server,try_handle_call⟧,4,[{file,"gen_server.erl"},{line,1131}]}]}',
    '{badarith,[{⟦sync_pull,total,1⟧,[{file,"⟦src/sync_pull.erl⟧"},{line,9}]}]}',
    'exited: {{badmatch,{error,closed}},[{⟦sync_pull,run,2⟧,[{file,"src/sync_pull.erl"},{line,31}]}]}',
    'initial call: ⟦sync_pull:init/1⟧',
    'Start Call: ⟦sync_pull:start_link⟧()',
    '** (exit) exited in: GenServer.call(⟦Sync.Pull⟧, :rows, 5000)',
    '** (UndefinedFunctionError) function ⟦Sync.Pull.rows/1⟧ is undefined or private',
  ])('%s', (marked) => {
    const { value } = redact(marked.replace(/[⟦⟧]/g, ''));
    expect(partsOf(marked).filter((part) => value.includes(part))).toEqual([]);
  });
});

describe('what only looks like them stays', () => {
  test.each([
    '0   Bananas   12.50\n1   Apples    3.20',
    '1   Trail   open   2026-11-18',
    'Register 0x00000001 holds 412',
    'Error 0x80070005 + retry 412',
    '1 item at 0x1f is locked',
    '#01 pc lab: no route',
    'undefined function: total',
    'function total/2 is not known; use sum/2',
    'No function matches the given name and argument types',
    'no function clause: choose one of add/1, sub/2',
    'The ratio ledger:rows/1 is wrong',
    'in call from Berlin to Paris (line 9)',
    'call not found in call list',
    'bad argument: rows must be a list',
    'GenServer is not started',
    'process <0.412.0> exited with reason normal',
    '0x1a1b2c3d4 + 164 = 0x1a1b2c478',
    'Thread 12 is waiting for a lock',
    '2   Coffee   0x12  + 2 (extra)',
    'initial call was at 9:31',
    '1   Trail   0x12 + 4',
    'Exit reason: {shutdown, closed}',
    'no match of right hand side value {error,closed}',
    'module sync_pull is not loaded',
    'Start call with +1',
    'bad argument error in row 9',
  ])('%s', (text) => {
    expect(redact(text).value).toBe(text);
  });
});
