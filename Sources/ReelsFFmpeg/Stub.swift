import ReelsModel
