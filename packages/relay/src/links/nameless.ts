/**
 * Errors that name no request. Some servers answer what they cannot read that way; others answer notifications, which
 * nobody answers, and what they say then is about no call at all.
 */

/** Tells the two apart. */
export class NamelessErrors {
  /** Notifications that the server may still answer. */
  #unheard = 0;
  #lastIssued = 0;

  /** Something was said that wants no answer, after the request with this number. */
  notified(issued: number): void {
    this.#unheard += 1;
    this.#lastIssued = issued;
  }

  /** A request was answered by its number: whatever was said before it is passed over. */
  answered(wireId: number): void {
    if (wireId > this.#lastIssued) this.#unheard = 0;
  }

  /** Is such an error, which has come just now, about a notification? */
  isAboutNotification(): boolean {
    if (this.#unheard === 0) return false;
    this.#unheard -= 1;
    return true;
  }
}
