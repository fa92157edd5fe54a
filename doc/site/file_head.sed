# For doxygen: the comment that begins a file is about that file. Lines stay lines, so that messages name the right ones;
# what is indented (pictures, examples, tables) becomes a block of code.
1s|^// SPDX.*|/// \\file|
2,/^[^/]/ {
  s|^//   |///       |
  s|^// |/// |
  s|^//$|///|
}
