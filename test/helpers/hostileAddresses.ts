/** Addresses that nobody may make us call: spellings of what lies inside, and what is no address of ours at all. */

/** Addresses inside, spelled in every way that a parser of addresses reads. */
export const insideAddresses: readonly string[] = [
  // Loopback: as it is, decimal, hexadecimal, octal, short, mixed, beyond a byte.
  'http://127.0.0.1/', 'http://127.255.255.254:8080/', 'http://2130706433/', 'http://0x7f000001/', 'http://0x7f.0x0.0x0.0x1/',
  'http://017700000001/', 'http://0177.0.0.1/', 'http://127.1/', 'http://127.0.1/', 'http://0x7f.1/', 'http://127.0.0.1./',
  'http://0/', 'http://0.0.0.0/', 'http://0.1.2.3/',
  // Digits and dots of other alphabets, and encoded ones.
  'http://１２７．０．０．１/', 'http://127。0。0。1/', 'http://①②⑦.⓪.⓪.①/', 'http://%31%32%37.0.0.1/', 'http://127%2e0%2e0%2e1/', 'http://0x7F.1/',
  // Names of this machine.
  'http://localhost/', 'http://LOCALHOST/', 'http://LocalHost.:80/', 'http://localhost../', 'http://a.b.localhost/', 'http://ｌocalhost/',
  'http://localhost.localdomain/', 'http://ip6-localhost/', 'http://ip6-loopback/', 'https://localhost:443/', 'http://%6cocalhost/',
  // Private networks, carriers' networks, this link.
  'http://10.0.0.1/', 'http://10.255.255.255/', 'http://172.16.0.1/', 'http://172.31.255.255/', 'http://192.168.0.1/', 'http://100.64.0.1/',
  'http://100.127.255.254/', 'http://169.254.0.1/', 'http://0xa000001/', 'http://167772161/', 'http://012.1/',
  // Metadata of clouds.
  'http://169.254.169.254/latest/meta-data/', 'http://2852039166/', 'http://0xa9fea9fe/', 'http://0xa9.0xfe.0xa9.0xfe/', 'http://169.254.43518/',
  'http://100.100.100.200/', 'http://168.63.129.16/', 'http://[::ffff:168.63.129.16]/', 'http://[fd00:ec2::254]/', 'http://metadata.google.internal/', 'http://METADATA.google.internal./',
  'http://metadata/', 'http://instance-data/', 'http://[::ffff:169.254.169.254]/', 'http://[::ffff:a9fe:a9fe]/',
  // Multicast, broadcast, tests, documentation, reserved.
  'http://224.0.0.1/', 'http://239.255.255.255/', 'http://255.255.255.255/', 'http://198.18.0.1/', 'http://198.19.255.255/',
  'http://192.0.2.1/', 'http://198.51.100.1/', 'http://203.0.113.1/', 'http://192.0.0.1/', 'http://240.0.0.1/', 'http://192.88.99.1/',
  // IPv6: loopback, none, IPv4 in it (mapped, compatible, translated), NAT64, 6to4, Teredo.
  'http://[::1]/', 'http://[::]/', 'http://[0:0:0:0:0:0:0:1]/', 'http://[::ffff:127.0.0.1]/', 'http://[::ffff:7f00:1]/', 'http://[::127.0.0.1]/',
  'http://[::7f00:1]/', 'http://[::10.0.0.1]/', 'http://[::ffff:0:127.0.0.1]/', 'http://[64:ff9b::7f00:1]/', 'http://[64:ff9b::10.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/', 'http://[64:ff9b:1::7f00:1]/', 'http://[64:ff9b:1:fffe::1]/', 'http://[2002:7f00:1::]/', 'http://[2002:a00:1::1]/',
  'http://[2002:a9fe:a9fe::1]/', 'http://[2001::1]/', 'http://[2001:0:7f00:1::]/',
  // IPv6: local, link, site, multicast, documentation, given out to nobody.
  'http://[fc00::1]/', 'http://[fd12:3456::1]/', 'http://[fe80::1]/', 'http://[febf::1]/', 'http://[fec0::1]/', 'http://[ff02::1]/', 'http://[ff05::2]/',
  'http://[2001:db8::1]/', 'http://[3fff::1]/', 'http://[100::1]/', 'http://[5f00::1]/', 'http://[4000::1]/',
]; // prettier-ignore

/** What is no address that we call. */
export const noAddresses: readonly string[] = [
  // Credentials, real or to hide behind.
  'http://good.example@127.0.0.1/', 'http://ana:sesame@good.example/', 'http://ana@good.example/', 'http://good.example%40x@127.0.0.1/',
  'http://good.example:80@127.0.0.1:80/', 'http://@127.0.0.1/', 'http://:sesame@good.example/',
  // Other schemes, and none.
  'ftp://good.example/', 'file:///etc/passwd', 'gopher://127.0.0.1:25/', 'dict://127.0.0.1:11211/', 'javascript:alert(1)', 'data:text/plain,x',
  'ws://good.example/', 'unix:///var/run/docker.sock', 'ldap://good.example/', '//good.example/', 'good.example', 'http://', 'http:///', 'nonsense',
  // Ports, zones, broken numbers.
  'http://good.example:0/', 'http://good.example:65536/', 'http://good.example:-1/', 'http://[fe80::1%25eth0]/', 'http://[fe80::1%eth0]/',
  'http://127.0.0.256/', 'http://1.2.3.4.5/', 'http://0x7f.0x0.0x0.0x1.0x0/', 'http://[::1/', 'http://::1/', 'http://[v1.fe80::a]/',
  // Parsers disagree on these.
  'http://good.example\\@127.0.0.1/', 'http:\\\\127.0.0.1\\', 'http://127.0.0.1\t.good.example/', 'http://good.example\r\nHost: x/', 'http://good example/',
]; // prettier-ignore
