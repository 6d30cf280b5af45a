/** The way back of what the gateway asks for itself: nobody has asked for its progress. */
import type { Back } from '@mayday/relay';

/** Hears everything and passes nothing on. */
export class SilentBack implements Back {
  readonly committed = false;
  /** Did a stream begin? */
  isStream = false;

  open(): void {
    this.isStream = true;
  }

  related(): boolean {
    return true;
  }

  onDrain(): void {
    // It is never behind.
  }
}
