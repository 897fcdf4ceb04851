// The JSON of W3C Web Authentication, Level 3 (section 5.1.8 to 5.1.10) to what the browser takes and back. Browsers that do it
// themselves are too young to rely on.

/** Options as the server writes them: bytes are base64url. */
export interface Asked {
  challenge: string;
  user?: { id: string; name: string; displayName: string };
  excludeCredentials?: Known[];
  allowCredentials?: Known[];
  [name: string]: unknown;
}

interface Known {
  id: string;
  type: "public-key";
  transports?: AuthenticatorTransport[];
}

/** Bytes of base64url. */
export function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

/** Base64url of bytes, without padding. */
export function text(bytes: ArrayBuffer): string {
  const letters = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const known = (list: Known[] | undefined) => (list ?? []).map((one) => ({ ...one, id: bytes(one.id) }));

/** What `navigator.credentials.create` takes. */
export function creation({ challenge, user, excludeCredentials, ...rest }: Asked): PublicKeyCredentialCreationOptions {
  const id = bytes(user?.id ?? "");
  const made: unknown = { ...rest, challenge: bytes(challenge), user: { ...user, id }, excludeCredentials: known(excludeCredentials) };
  return made as PublicKeyCredentialCreationOptions;
}

/** What `navigator.credentials.get` takes. */
export function request({ challenge, allowCredentials, ...rest }: Asked): PublicKeyCredentialRequestOptions {
  return { ...rest, challenge: bytes(challenge), allowCredentials: known(allowCredentials) };
}

/** A credential as the server reads it. */
export function answerOf(credential: PublicKeyCredential) {
  const { id, rawId, type, authenticatorAttachment, response } = credential;
  return {
    id,
    rawId: text(rawId),
    type,
    authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: response instanceof AuthenticatorAttestationResponse ? attestation(response) : assertion(response as AuthenticatorAssertionResponse),
  };
}

function attestation(response: AuthenticatorAttestationResponse) {
  return {
    clientDataJSON: text(response.clientDataJSON),
    attestationObject: text(response.attestationObject),
    transports: "getTransports" in response ? response.getTransports() : [],
  };
}

function assertion(response: AuthenticatorAssertionResponse) {
  return {
    clientDataJSON: text(response.clientDataJSON),
    authenticatorData: text(response.authenticatorData),
    signature: text(response.signature),
    ...(response.userHandle ? { userHandle: text(response.userHandle) } : {}),
  };
}
