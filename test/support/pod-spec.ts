/** The least that a pod has. Its image is what may change of it. */
export const podSpec = (image = 'i') => ({ containers: [{ name: 'c', image }] });
