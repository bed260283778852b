// Trains a plain torch::nn::Sequential under several plans and shows what each takes: the same
// weights in the end, in less memory.
//
//   train_sequential [--side PIXELS] [--steps N]

#include <torch/torch.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <headroom/checkpoint.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Options {
  std::int64_t side = 256;  ///< of the square input, in pixels
  std::int64_t steps = 10;
};

/// Twice a 3x3 convolution, batch norm and ReLU.
torch::nn::Sequential make_block(std::int64_t in_channels, std::int64_t out_channels) {
  torch::nn::Sequential block;
  for (const std::int64_t entry : {in_channels, out_channels}) {
    block->push_back(
        torch::nn::Conv2d(torch::nn::Conv2dOptions(entry, out_channels, 3).padding(1).bias(false)));
    block->push_back(torch::nn::BatchNorm2d(out_channels));
    block->push_back(torch::nn::ReLU(torch::nn::ReLUOptions().inplace(true)));
  }
  return block;
}

/// image [n, 3, h, w] -> logits [n, 2, h, w].
class Net : public torch::nn::Module {
 public:
  Net() {
    std::int64_t channels = 3;
    for (const std::string& name : kStages) {
      blocks_.push_back(register_module(name, make_block(channels, 16)));
      channels = 16;
    }
    blocks_.back()->push_back(torch::nn::Dropout2d(0.1));
    head_ = register_module("head", torch::nn::Conv2d(torch::nn::Conv2dOptions(channels, 2, 1)));
  }

  torch::Tensor forward(torch::Tensor x) {
    const headroom::ForwardPass pass(stages);
    for (std::size_t i = 0; i < kStages.size(); ++i) {
      x = stages.run(kStages[i], blocks_[i], std::move(x));
    }
    return head_(x);
  }

 private:
  inline static const std::vector<std::string> kStages = {"first", "second", "third", "fourth"};

 public:
  headroom::Stages stages{kStages};

 private:
  std::vector<torch::nn::Sequential> blocks_;
  torch::nn::Conv2d head_{nullptr};
};

struct Outcome {
  std::vector<torch::Tensor> weights_and_statistics;
  headroom::StepReading last_step;
  double fastest_seconds = 0;
};

Outcome train(const std::string& plan, const Options& options) {
  torch::manual_seed(1);
  Net net;
  net.stages.set_plan(plan);
  torch::optim::SGD optimizer(net.parameters(), torch::optim::SGDOptions(0.05).momentum(0.9));
  const auto image = torch::randn({2, 3, options.side, options.side});
  const auto labels = torch::randint(2, {2, options.side, options.side});

  Outcome outcome;
  for (std::int64_t step = 0; step < options.steps; ++step) {
    net.stages.begin_step();
    optimizer.zero_grad();
    torch::nn::functional::cross_entropy(net.forward(image), labels).backward();
    optimizer.step();
    outcome.last_step = net.stages.end_step();
    const double seconds = outcome.last_step.seconds;
    outcome.fastest_seconds = step == 0 ? seconds : std::min(outcome.fastest_seconds, seconds);
  }
  outcome.weights_and_statistics = net.parameters();
  for (const torch::Tensor& buffer : net.buffers()) {
    outcome.weights_and_statistics.push_back(buffer);
  }
  return outcome;
}

bool is_bit_identical(const Outcome& a, const Outcome& b) {
  return std::ranges::equal(a.weights_and_statistics, b.weights_and_statistics,
                            [](const auto& left, const auto& right) { return left.equal(right); });
}

/// False where a plan changed a result.
bool compare(const Options& options) {
  const Outcome keep = train("keep", options);
  std::printf("%-38s %10s %10s   weights\n", "plan", "peak MiB", "step ms");
  bool all_identical = true;
  for (const char* plan :
       {"keep", "light", "first=full,second=light,third=light,fourth=light", "full"}) {
    const Outcome outcome = train(plan, options);
    const bool identical = is_bit_identical(keep, outcome);
    all_identical = all_identical && identical;
    std::printf("%-38.38s %10.1f %10.1f   %s\n", plan,
                static_cast<double>(outcome.last_step.peak_bytes) / (1 << 20),
                outcome.fastest_seconds * 1e3, identical ? "bit-identical" : "DIFFERENT");
  }
  return all_identical;
}

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = arguments[i];
    (name == "--side" ? options.side : options.steps) = std::atoll(arguments[i + 1]);
  }
  return options;
}

}  // namespace

int main(int count, char** arguments) {
  headroom::install();
  try {
    return compare(parse(count, arguments)) ? 0 : 1;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "train_sequential: %s\n", problem.what());
    return 1;
  }
}
