import type { Taint, Toleration } from '../objects.ts';

/** @see https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/ */
export function tolerates(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some((toleration) => toleratesOne(toleration, taint));
}

function toleratesOne({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (!operator || operator === 'Equal') && (value ?? '') === (taint.value ?? '');
}
