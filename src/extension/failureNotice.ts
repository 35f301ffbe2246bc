interface Round {
  newest: Error;
}

/**
 * Says failures one at a time: while one is shown no other is. Another one that still holds when the first is closed is
 * said then.
 */
export class FailureNotice {
  /** While a message is shown. */
  private round: Round | null = null;

  /** @param show resolves when the message is closed, or was answered */
  constructor(private readonly show: (error: Error) => PromiseLike<unknown>) {}

  failed(error: Error): void {
    if (this.round) this.round.newest = error;
    else void this.say((this.round = { newest: error }));
  }

  /** From now on a failure is a new one, whatever is still shown. */
  worksAgain(): void {
    this.round = null;
  }

  private async say(round: Round): Promise<void> {
    let said: Error;
    do {
      said = round.newest;
      await this.show(said);
    } while (this.round === round && round.newest.message !== said.message);
    if (this.round === round) this.round = null;
  }
}
