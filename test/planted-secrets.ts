/** A secret in a text. All are made up as they are needed, from a seed: none is written down here. */
export interface PlantedSecret {
  readonly kind: string;
  readonly about: string;
  readonly text: string;
  readonly secret: string;
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const ALNUM = `${LOWER}${LOWER.toUpperCase()}${DIGITS}`;
const WORD = `${ALNUM}_-`;
const BASE64 = `${ALNUM}+/`;
const HEX = `${DIGITS}abcdef`;
const CAPITALS = `${LOWER.toUpperCase()}234567`;

type Random = (alphabet: string, length: number) => string;

/** Variables of an environment whose values must not appear. */
export const variables = {
  ACME_API_KEY: "correct-horse-9",
  ACME_LONG_SECRET: "correct-horse-9-battery",
  DATABASE_URL: `postgres://app:${"Sup3rS3cret"}%2FPw@db.local/app`,
  ODD_TOKEN: ':x["y\\z\n1 é',
};

/** Tokens that are known by themselves, wherever they stand. */
const tokens: readonly (readonly [kind: string, make: (random: Random) => string])[] = [
  ["OpenAI key", (r) => `sk-${r(ALNUM, 48)}`],
  ["OpenAI key", (r) => `sk-proj-${r(WORD, 120)}`],
  ["OpenAI key", (r) => `sk-svcacct-${r(WORD, 80)}`],
  ["Anthropic key", (r) => `sk-ant-api03-${r(WORD, 93)}AA`],
  ["OpenRouter key", (r) => `sk-or-v1-${r(HEX, 64)}`],
  ["Google API key", (r) => `AIza${r(WORD, 35)}`],
  ["Google OAuth token", (r) => `ya29.${r(WORD, 120)}`],
  ["Google OAuth token", (r) => `GOCSPX-${r(WORD, 28)}`],
  ["AWS access key id", (r) => `AKIA${r(CAPITALS, 16)}`],
  ["AWS access key id", (r) => `ASIA${r(CAPITALS, 16)}`],
  ["AWS Bedrock key", (r) => `ABSK${r(BASE64, 128)}`],
  ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map((p) => ["GitHub token", (r: Random) => p + r(ALNUM, 36)] as const),
  ["GitHub token", (r) => `github_pat_${r(ALNUM, 22)}_${r(ALNUM, 59)}`],
  ["GitLab token", (r) => `glpat-${r(WORD, 20)}`],
  ["Slack token", (r) => `xoxb-${r(DIGITS, 12)}-${r(DIGITS, 12)}-${r(ALNUM, 24)}`],
  ["Slack token", (r) => `xoxp-${r(DIGITS, 12)}-${r(DIGITS, 12)}-${r(HEX, 32)}`],
  ["Slack token", (r) => `xapp-1-A${r(CAPITALS, 10)}-${r(DIGITS, 13)}-${r(HEX, 64)}`],
  ["Stripe key", (r) => `sk_live_${r(ALNUM, 24)}`],
  ["Stripe key", (r) => `rk_live_${r(ALNUM, 24)}`],
  ["Stripe key", (r) => `whsec_${r(ALNUM, 32)}`],
  ["ElevenLabs key", (r) => `sk_${r(HEX, 48)}`],
  ["Twilio key", (r) => `SK${r(HEX, 32)}`],
  ["SendGrid key", (r) => `SG.${r(WORD, 22)}.${r(WORD, 43)}`],
  ["Mailgun key", (r) => `key-${r(HEX, 32)}`],
  ["npm token", (r) => `npm_${r(ALNUM, 36)}`],
  ["PyPI token", (r) => `pypi-AgEIcHlwaS5vcmc${r(WORD, 120)}`],
  ["RubyGems key", (r) => `rubygems_${r(HEX, 48)}`],
  ["Docker Hub token", (r) => `dckr_pat_${r(WORD, 27)}`],
  ["Hugging Face token", (r) => `hf_${r(ALNUM, 34)}`],
  ["Replicate token", (r) => `r8_${r(ALNUM, 37)}`],
  ["Groq key", (r) => `gsk_${r(ALNUM, 52)}`],
  ["xAI key", (r) => `xai-${r(ALNUM, 80)}`],
  ["Perplexity key", (r) => `pplx-${r(ALNUM, 48)}`],
  ["Tavily key", (r) => `tvly-${r(ALNUM, 32)}`],
  ["Pinecone key", (r) => `pcsk_${r(ALNUM, 6)}_${r(ALNUM, 60)}`],
  ["LangSmith key", (r) => `lsv2_pt_${r(HEX, 32)}_${r(HEX, 10)}`],
  ["Databricks token", (r) => `dapi${r(HEX, 32)}`],
  ["DigitalOcean token", (r) => `dop_v1_${r(HEX, 64)}`],
  ["Heroku key", (r) => `HRKU-${r(WORD, 60)}`],
  ["Linear key", (r) => `lin_api_${r(ALNUM, 40)}`],
  ["Notion token", (r) => `secret_${r(ALNUM, 43)}`],
  ["Notion token", (r) => `ntn_${r(ALNUM, 46)}`],
  ["Shopify token", (r) => `shpat_${r(HEX, 32)}`],
  ["Square token", (r) => `sq0atp-${r(WORD, 22)}`],
  ["Square token", (r) => `EAAA${r(WORD, 60)}`],
  ["Facebook token", (r) => `EAACEdEose0c${r(ALNUM, 120)}`],
  ["Discord token", (r) => `M${r(ALNUM, 23)}.${r(WORD, 6)}.${r(WORD, 38)}`],
  ["JWT", (r) => `eyJhbGciOiJIUzI1NiJ9.eyJ${r(WORD, 40)}.${r(WORD, 43)}`],
  ["Airtable token", (r) => `pat${r(ALNUM, 14)}.${r(HEX, 64)}`],
  ["Supabase key", (r) => `sbp_${r(HEX, 40)}`],
  ["Netlify token", (r) => `nfp_${r(ALNUM, 36)}`],
  ["Fly.io token", (r) => `fm2_${r(BASE64, 100)}`],
  ["Grafana token", (r) => `glsa_${r(ALNUM, 32)}_${r(HEX, 8)}`],
  ["New Relic key", (r) => `NRAK-${r(CAPITALS, 27)}`],
  ["Sentry token", (r) => `sntryu_${r(HEX, 64)}`],
  ["PostHog key", (r) => `phx_${r(ALNUM, 43)}`],
  ["Doppler token", (r) => `dp.pt.${r(ALNUM, 43)}`],
  ["Vault token", (r) => `hvs.${r(WORD, 90)}`],
  ["Pulumi token", (r) => `pul-${r(HEX, 40)}`],
  ["Atlassian token", (r) => `ATATT3xFfGF0${r(WORD, 170)}`],
  ["Figma token", (r) => `figd_${r(WORD, 40)}`],
  ["Postman key", (r) => `PMAK-${r(HEX, 24)}-${r(HEX, 34)}`],
  ["PlanetScale token", (r) => `pscale_tkn_${r(WORD, 43)}`],
  ["Contentful token", (r) => `CFPAT-${r(WORD, 43)}`],
  ["Brevo key", (r) => `xkeysib-${r(HEX, 64)}-${r(ALNUM, 16)}`],
  ["age key", (r) => `AGE-SECRET-KEY-1${r(CAPITALS, 58)}`],
];

/** Where tokens stand; none of these says that a secret follows. */
const places: readonly (readonly [about: string, write: (token: string) => string])[] = [
  ["in a sentence", (token) => `I used ${token}, and it worked.`],
  ["at the end of a sentence", (token) => `It was (${token}).\n[DONE]`],
  ["in JSON", (token) => `{"note":"${token}","n":1}`],
  ["in an address", (token) => `GET https://api.example.com/v1?q=${token}&page=2`],
  ["in code", (token) => `\`\`\`ts\nconst client = new Client('${token}');\n\`\`\`\n`],
  ["in JSON in JSON", (token) => JSON.stringify(JSON.stringify({ text: `1.\n${token}\n2.` }))],
  ["in an encoded address", (token) => `?next=${encodeURIComponent(`/a?q=${token}`)}`],
  ["in colour", (token) => `\u001b[32m${token}\u001b[0m`],
  ["on its own", (token) => token],
];

/** What is a secret because of what stands before it. */
const contexts: readonly (readonly [
  kind: string,
  write: (random: Random) => readonly [before: string, secret: string, after: string],
])[] = [
  ["key", (r) => ["aws_secret_access_key = ", r(BASE64, 40), "\n"]],
  ["key", (r) => ['{"SecretAccessKey": "', r(BASE64, 40), '"}']],
  ["key", (r) => ["The secret access key is ", r(ALNUM, 40), "."]],
  [
    "key",
    (r) => ["DefaultEndpointsProtocol=https;AccountName=x;AccountKey=", `${r(BASE64, 86)}==`, ";EndpointSuffix=core"],
  ],
  ["signature", (r) => ["https://x.blob.core.windows.net/c/f?sv=2024-01-01&sig=", `${r(ALNUM, 43)}%3D`, "&se=2030"]],
  ["signature", (r) => ["https://b.s3.amazonaws.com/k?X-Amz-Signature=", r(HEX, 64), ""]],
  ["key", (r) => ["HEROKU_API_KEY=", uuid(r), "\n"]],
  ["key", (r) => ["Heroku API key: ", uuid(r), ""]],
  ["Telegram token", (r) => [`https://api.telegram.org/bot${r("123456789", 9)}:`, `AA${r(WORD, 33)}`, "/getMe"]],
  [
    "webhook",
    (r) => ["https://hooks.slack.com/services/", `T${r(CAPITALS, 8)}/B${r(CAPITALS, 8)}/${r(ALNUM, 24)}`, " posts"],
  ],
  ["webhook", (r) => ["https://discord.com/api/webhooks/", `${r(DIGITS, 18)}/${r(WORD, 68)}`, ""]],
  ...["RSA ", "EC ", "OPENSSH ", "DSA ", "ENCRYPTED ", ""].map(
    (label) =>
      [
        "private key",
        (r: Random) => ["Key:\n", pem(r, `${label}PRIVATE KEY`, "\n"), "\nThat was it."] as const,
      ] as const,
  ),
  ["private key", (r) => ["", pem(r, "PGP PRIVATE KEY BLOCK", "\n"), ""]],
  ["private key", (r) => ['{"type":"service_account","private_key":"', pem(r, "PRIVATE KEY", "\\n"), '\\n"}']],
  ["credentials", (r) => ["Authorization: Bearer ", r(ALNUM, 32), "\r\n"]],
  ["credentials", (r) => ["Authorization: Basic ", r(BASE64, 24), "\r\n"]],
  ["credentials", (r) => ["Proxy-Authorization: Basic ", `${r(BASE64, 22)}==`, ""]],
  ["credentials", (r) => ["curl -H 'Authorization: token ", r(HEX, 40), "' https://x.io"]],
  ["credentials", (r) => ['{"headers":{"authorization":"Bearer ', r(WORD, 40), '"}}']],
  ["token", (r) => ["got Bearer ", `${r(HEX, 32)}`, " in the log"]],
  ["URL password", (r) => ["postgres://app:", r(ALNUM, 12), "@db:5432/app"]],
  ["URL password", (r) => ["mongodb+srv://root:", r(ALNUM, 16), "@cluster0.example.net"]],
  ["URL password", (r) => ["redis://:", r(HEX, 20), "@cache:6379/0"]],
  ["URL password", (r) => ["amqp://guest:", `${r(LOWER, 5)}!x`, "@mq"]],
  ["URL password", (r) => ["git clone https://x:", r(ALNUM, 20), "@git.example.com/a.git"]],
  ["URL password", (r) => ["https://", `${r(HEX, 40)}`, "@git.example.com/a.git"]],
  ["cookie", (r) => ["Set-Cookie: session=", r(ALNUM, 32), "; Path=/; HttpOnly"]],
  ["cookie", (r) => ["Cookie: sid=", `${r(HEX, 24)}; csrf=${r(HEX, 12)}`, "\nAccept: */*"]],
  ["password", (r) => ["password = ", `${r(LOWER, 6)}${r(DIGITS, 2)}`, "\n"]],
  ["password", (r) => ["password: ", `${r(ALNUM, 7)}9!`, ""]],
  ["password", (r) => ["DB_PASSWORD=", r(LOWER, 9), "\nDB_HOST=x"]],
  ["password", (r) => ['"dbPassword": "', r(LOWER, 10), '",']],
  ["password", (r) => ["Server=db;User Id=sa;Password=", r(LOWER, 8), ";Encrypt=true"]],
  ["password", (r) => ["'passwd' => '", `${r(ALNUM, 10)}`, "',"]],
  ["password", (r) => ["**Password:** `", `${r(ALNUM, 10)}1`, "`"]],
  ["password", (r) => ['{\\"password\\":\\"', r(ALNUM, 14), '\\"}']],
  ["password", (r) => ["spring.datasource.password=", `${r(ALNUM, 14)}1`, "\n"]],
  ["password", (r) => ["my password is ", `${r(ALNUM, 7)}1${r(HEX, 14)}`, " by the way"]],
  ["secret", (r) => ["client_secret: '", r(WORD, 32), "'"]],
  ["secret", (r) => ["JWT_SECRET=", r(LOWER, 24), ""]],
  ["secret", (r) => ["secret: ", r(HEX, 32), ""]],
  ["secret", (r) => ["oauth_consumer_secret=", r(HEX, 30), "&x=1"]],
  ["key", (r) => ["api_key=", r(HEX, 32), ""]],
  ["key", (r) => ["x-api-key: ", r(ALNUM, 32), ""]],
  ["key", (r) => ['apiKey: "', r(ALNUM, 24), '",']],
  ["key", (r) => ["DATADOG_KEY=", r(HEX, 32), ""]],
  ["key", (r) => ["encryption_key: ", r(HEX, 64), ""]],
  ["token", (r) => ["token: ", r(HEX, 40), ""]],
  ["token", (r) => ['"access_token": "', r(WORD, 60), '"']],
  ["token", (r) => ["https://x.io/hook?token=", r(ALNUM, 20), "&a=b"]],
  ["token", (r) => ["VERCEL_TOKEN=", r(ALNUM, 24), ""]],
  ["token", (r) => ["//registry.npmjs.org/:_authToken=", r(HEX, 36), ""]],
  ["token", (r) => ["AWS_SESSION_TOKEN=", r(BASE64, 300), ""]],
  ["environment value", () => ["it said ", variables.ACME_API_KEY, " twice"]],
  ["environment value", () => ["x", variables.ACME_LONG_SECRET, "y"]],
  ["environment value", () => ["as JSON: ", JSON.stringify(variables.ODD_TOKEN).slice(1, -1), ""]],
  ["environment value", () => ["in an address: ?v=", encodeURIComponent(variables.ODD_TOKEN), "&"]],
  ["environment value", () => ["decoded ", "Sup3rS3cret/Pw", "!"]],
  ["environment value", () => ["encoded ", btoa(variables.ACME_API_KEY), ""]],
];

/** Every kind in every place, the same for the same seed. */
export function plantSecrets(seed: number): PlantedSecret[] {
  const random = createRandom(seed);
  const inPlaces = tokens.flatMap(([kind, make]) =>
    places.map(([about, write]) => {
      const secret = make(random);
      return { kind, about, secret, text: write(secret) };
    }),
  );
  const inContexts = contexts.map(([kind, write]) => {
    const [before, secret, after] = write(random);
    return { kind, about: `after '${before.slice(-40)}'`, secret, text: before + secret + after };
  });
  return [...inPlaces, ...inContexts];
}

function uuid(random: Random): string {
  return [8, 4, 4, 4, 12].map((length) => random(HEX, length)).join("-");
}

function pem(random: Random, label: string, newline: string): string {
  const lines = Array.from({ length: 12 }, () => random(BASE64, 64));
  return [`-----BEGIN ${label}-----`, ...lines, `${random(BASE64, 22)}==`, `-----END ${label}-----`].join(newline);
}

/** Numbers that look random and are the same each time (mulberry32). */
function createRandom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return (alphabet, length) =>
    Array.from({ length }, () => alphabet.charAt(Math.floor(next() * alphabet.length))).join("");
}
