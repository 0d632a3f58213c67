export class MemoryBudget {
  constructor(_command: unknown, _checked: unknown, _o: unknown) {}
  expect(_n: number, _S: number): void {}
}
