/** Enter ends what is typed, so that the next key is a shortcut again. */
export function leaveOnEnter({ key, currentTarget }: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  if (key === 'Enter') currentTarget.blur();
}
