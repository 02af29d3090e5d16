export const late = 'loaded on demand';
