/** A change of another program's file that was refused. The message says what happened, why, and what to do next. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
}
