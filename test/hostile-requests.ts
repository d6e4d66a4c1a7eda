/** Names and origins that are not the server's, and types of bodies that are not JSON. */
export const hosts = [
  ...["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "evil.example:80", "[::2]", "0.0.0.0", ""],
  ...["169.254.169.254", "2130706433", "0x7f.1", "127.1", "localhost@evil.example", "evil.example#localhost"],
  ...["localhost/", "localhost,evil.example", "localhost evil.example", "127.0.0.1:99999999", "::1", "lоcalhost"],
  ...["%6c"],
];
export const origins = [
  ...[
    "https://evil.example",
    "http://evil.example",
    "null",
    "http://localhost.evil.example",
    "file://",
    "http://[::2]",
  ],
  ...[
    "http://127.0.0.1:1",
    "https://127.0.0.1.evil.example",
    "chrome-extension://abc",
    "http://localhost@evil.example",
  ],
  ...[
    "http://0.0.0.0",
    "http://169.254.169.254",
    "ftp://localhost",
    "http://evil.example:80",
    "HTTP://EVIL.EXAMPLE",
    "x",
  ],
  ...["http://localhost", "https://localhost", "http://127.0.0.1", "data:text/html,x"],
];
export const contentTypes = [
  ...["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp"],
  ...["text/json", "application/xml", "application/json-patch+json", ","],
];
