/** Kubernetes quantities. Pure: nothing imported from outside this folder. */
export { canonicalQuantity, QUANTITY_PATTERN, quantityNanos, quantityText } from './quantity.ts';
