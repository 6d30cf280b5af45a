/** Somebody whose credential is none of ours. All of them are told the same; why is for the operator alone. */
export class Stranger {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}
