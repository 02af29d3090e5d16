/**
 * Ends this process when the launcher does that started it (`bin/winnow.js`, under a Node that is too old), as SIGTERM
 * would. Where no launcher stands in between there is no channel, and nothing happens.
 */
export function endWithLauncher(): void {
  if (process.channel === undefined) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // Nothing is waited for on the channel: a command that is done ends.
  process.channel?.unref();
}
