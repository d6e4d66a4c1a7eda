/** A baton. */
export function Logo() {
  return (
    <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M9 23 23 9" stroke="var(--on-accent)" strokeWidth="5" strokeLinecap="round" />
      <circle cx="9" cy="23" r="2" fill="var(--wait)" />
    </svg>
  );
}
