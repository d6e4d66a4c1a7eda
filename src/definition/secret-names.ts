/** A variable whose name says that it holds a secret. */
const SECRET = /(?:KEY|TOKEN|SECRET|CREDENTIALS?|PASSWORD|PASSWD|PASSPHRASE)$/i;

export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}
