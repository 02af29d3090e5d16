/**
 * Thrown after webhooks were asked inside a change: the state that the change began with may be old by now. The store of
 * the request reads again and repeats the change, which then finds their decisions.
 */
export class ReadAgainError extends Error {
  override readonly name = 'ReadAgainError';
}
