const NUMBER = new Intl.NumberFormat();

/** "1 task", "1,200 tasks". */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${NUMBER.format(n)} ${n === 1 ? one : many}`;
