/** Loaded before a server: its wall clock is `ACCEPTANCE_SHIFT_MS` milliseconds ahead, as if the machine had slept. */
const shift = Number(process.env['ACCEPTANCE_SHIFT_MS'] ?? 0);
const now = Date.now;
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...args: readonly unknown[]) {
    super(...((args.length === 0 ? [now() + shift] : args) as [number]));
  }
  static override now(): number {
    return now() + shift;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
