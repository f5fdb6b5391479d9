// Runs the fuzz target on mutated inputs, for compilers without libFuzzer.
//   driver SECONDS FILE DICTIONARY    writes an input that fails to FILE
//   driver FILE                       repeats one input
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t kMaxSize = 1 << 14;   // bytes of an input
constexpr std::size_t kPoolSize = 1 << 10;  // bytes of an input that is mutated further
constexpr unsigned kTimeout = 20;           // seconds for one input

using Bytes = std::basic_string<std::uint8_t>;

// Memory that the process that runs the target shares with its parent.
struct Shared {
  std::uint64_t executions;
  std::size_t size;
  std::uint8_t data[kMaxSize];
};

// Reads lines like "a\x20b". A line that begins with # is a comment.
std::vector<Bytes> read_dictionary(const char* path) {
  std::vector<Bytes> out;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find('"'), last = line.rfind('"');
    if (line.empty() || line[0] == '#' || first >= last) continue;
    out.emplace_back();
    for (std::size_t i = first + 1; i < last; ++i) {
      const bool escaped = line[i] == '\\' && line[i + 1] == 'x';
      out.back() += static_cast<std::uint8_t>(escaped ? std::stoi(line.substr(i + 2, 2), nullptr, 16) : line[i]);
      if (escaped) i += 3;
    }
  }
  if (out.empty()) {
    std::fprintf(stderr, "%s has no entries\n", path);
    std::exit(2);
  }
  return out;
}

class Mutator {
 public:
  explicit Mutator(std::vector<Bytes> tokens) : tokens_(std::move(tokens)), pool_(256) {
    for (Bytes& input : pool_) {
      input = random_bytes(fuzz::kHead);
      input.resize(fuzz::text_position(input.data(), input.size()));
      randomize_head(input);
      for (std::size_t n = below(12); n--;) input += token();
    }
  }

  Bytes next() {
    Bytes input = pool_[below(pool_.size())];
    for (std::size_t n = 1 + below(6); n--;) mutate(input);
    if (input.size() > kMaxSize) input.resize(kMaxSize);
    if (input.size() <= kPoolSize && below(4) == 0) pool_[below(pool_.size())] = input;
    return input;
  }

 private:
  std::size_t below(std::size_t n) { return n ? random_() % n : 0; }
  std::uint8_t byte() { return static_cast<std::uint8_t>(random_()); }
  const Bytes& token() { return tokens_[below(tokens_.size())]; }

  Bytes random_bytes(std::size_t n) {
    Bytes out(n, 0);
    std::generate(out.begin(), out.end(), [&] { return byte(); });
    return out;
  }

  // Draws new settings and documents; the text stays.
  void randomize_head(Bytes& input) {
    const std::size_t end = std::min(input.size(), fuzz::text_position(input.data(), input.size()));
    for (std::size_t i = 0; i < end; ++i)
      if (i != 4) input[i] = byte();
    // Long texts need one document with all the text.
    if (below(2)) input.resize(std::max(input.size(), fuzz::kHead), 0), input[4] = 1;
  }

  Bytes section(const Bytes& bytes) {
    const std::size_t begin = below(bytes.size());
    return bytes.substr(begin, 1 + below(std::min<std::size_t>(bytes.size() - begin, 200)));
  }

  void insert(Bytes& input, const Bytes& bytes) { input.insert(below(input.size() + 1), bytes); }

  static Bytes repeated(const Bytes& bytes, std::size_t n) {
    Bytes out;
    while (n--) out += bytes;
    return out;
  }

  // Writes a token across the border between two chunks of 64 bytes of the first document.
  void write_at_border(Bytes& input) {
    const std::size_t text = fuzz::text_position(input.data(), input.size());
    const std::size_t at = text + 64 * (1 + below(4)) - below(5);
    static const Bytes fillers[] = {Bytes(1, 'a'), Bytes(1, ' '), {0xC3, 0xA9}, {0xE4, 0xB8, 0xAD}};
    while (input.size() < at) input += fillers[below(4)];
    const Bytes& bytes = token();
    input.replace(at, std::min(bytes.size(), input.size() - at), bytes);
  }

  void mutate(Bytes& input) {
    static const Bytes letters[] = {
        {'a'}, {'Z'}, {0xC3, 0x89}, {0xC8, 0xBA}, {0xCE, 0xA3}, {0xE4, 0xB8, 0xAD}, {0xC4, 0xB0}, {'_', 0xFF}};
    static const Bytes gaps[] = {{' '}, {0}, {'\n'}, {'.'}, {0xC2, 0xA0}, {0xE2, 0x80, 0x83}, {0xCC, 0x81}, {0x80}};
    if (input.empty()) input = random_bytes(fuzz::kHead + 2);
    switch (below(12)) {
      case 0: input[below(input.size())] ^= static_cast<std::uint8_t>(1 << below(8)); break;
      case 1: input[below(input.size())] = byte(); break;
      case 2: insert(input, section(pool_[below(pool_.size())])); break;
      case 3: insert(input, repeated(section(input), 1 + below(20))); break;
      case 4: insert(input, random_bytes(1 + below(below(16) ? 16 : 3000))); break;
      case 5: insert(input, repeated(letters[below(8)], below(below(8) ? 100 : 5000))); break;
      case 6: insert(input, repeated(gaps[below(8)], below(below(8) ? 100 : 5000))); break;
      case 7: write_at_border(input); break;
      case 8: randomize_head(input); break;
      case 9: input.erase(below(input.size()), 1 + below(64)); break;
      default: insert(input, token()); break;
    }
  }

  std::vector<Bytes> tokens_, pool_;
  std::mt19937_64 random_{20240101};
};

void run(Shared& shared, double seconds, Mutator mutator) {
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < seconds) {
    const Bytes input = mutator.next();
    // Memory of exactly this size: a string has a zero after its end.
    const std::vector<std::uint8_t> exact(input.begin(), input.end());
    shared.size = exact.size();
    std::copy(exact.begin(), exact.end(), shared.data);
    alarm(kTimeout);
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
    ++shared.executions;
  }
}

int repeat(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s cannot be read\n", path);
    return 2;
  }
  const std::vector<char> input{std::istreambuf_iterator<char>(file), {}};
  return LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2) return repeat(argv[1]);
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s SECONDS FILE DICTIONARY, or %s FILE\n", argv[0], argv[0]);
    return 2;
  }
  void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 2;
  auto& shared = *new (memory) Shared{};
  Mutator mutator(read_dictionary(argv[3]));
  // A child process runs the target: however it ends, its last input is in the shared memory.
  const pid_t child = fork();
  if (child == 0) {
    run(shared, std::atof(argv[1]), std::move(mutator));
    return 0;
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 2;
  const bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  std::printf("%llu executions, %s\n", static_cast<unsigned long long>(shared.executions),
              fine ? "nothing found" : "FAILED");
  if (fine) return 0;
  std::ofstream(argv[2], std::ios::binary)
      .write(reinterpret_cast<const char*>(shared.data), static_cast<std::streamsize>(shared.size));
  std::printf("the input is in %s\n", argv[2]);
  return 1;
}
